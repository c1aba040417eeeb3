// Command streaming measures training past the memory of one machine: how fast one pass over
// many files is beside one that only parses, whether all ways lead to the same model, how the
// cost grows with rows, features and workers, and what that makes of 10⁹ and 10¹² rows.
//
//	go -C checks run ./streaming -o .
//
// The files are of the shape of LETOR collections, from a seed; 10⁷ rows of 46 features take
// 5 GB in -work, where they stay for another run. Every measurement is a process of its own.
// The rows of Apache Beam need the module in beam/ to build, and are left out, with a word,
// where it does not. -rows 200000 -most 200000 is a short run.
//
// Files: main.go flags and sections; parts.go the files; pass.go time and memory of one pass,
// with parse.go the one that only parses; ways.go the models, with beam.go those of Beam;
// growth.go cost over rows, features and workers, with price.go what follows from it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"pairrank/checks/internal/process"
	"pairrank/papers/experiment"
)

// settings are what the flags say, and the program that is measured.
type settings struct {
	shape   shape // of the large set
	work    string
	program string
	runs    int
	most    int // rows of the largest point of a curve
	machine machine
}

var sections = []experiment.Section[*settings]{
	{Name: "pass", Make: pass}, {Name: "ways", Make: ways}, {Name: "growth", Make: growth},
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == parseOnly {
		parseAll(os.Args[2:])
		return
	}
	s := &settings{}
	out := experiment.OutputFlags("streaming", experiment.Names(sections))
	flag.IntVar(&s.shape.rows, "rows", 10_000_000, "rows of the large set")
	flag.IntVar(&s.shape.features, "features", 46, "its features")
	flag.IntVar(&s.shape.queries, "queries", 40_000, "its queries")
	flag.IntVar(&s.shape.files, "files", 40, "its files")
	flag.StringVar(&s.work, "work", filepath.Join(os.TempDir(), "streaming"), "folder for files, which stay there")
	flag.IntVar(&s.runs, "runs", 3, "repetitions in turn, of which the median is told")
	flag.IntVar(&s.most, "most", 3_200_000, "rows of the largest point of a curve")
	flag.StringVar(&s.machine.name, "machine", "AWS c7i.4xlarge, on demand, us-east-1", "machine of the cluster")
	flag.IntVar(&s.machine.vcpus, "vcpus", 16, "its virtual processors")
	flag.Float64Var(&s.machine.network, "network", 12.5, "its network, Gbit/s")
	flag.Float64Var(&s.machine.price, "price", 0.714, "its price, US$ an hour")
	experiment.Main("streaming", func(ctx context.Context) (err error) {
		out.Seed = seed
		if s.work, err = filepath.Abs(s.work); err != nil {
			return err
		}
		if err := os.MkdirAll(s.work, 0o777); err != nil {
			return err
		}
		s.program = filepath.Join(s.work, "pairrank")
		if err := experiment.BuildProgram(ctx, s.program); err != nil {
			return err
		}
		return experiment.Report(ctx, out, sections, s)
	})
}

// command runs the program with so many threads.
func (s *settings) command(ctx context.Context, threads int, args ...string) (process.Usage, error) {
	used, _, err := process.Run(ctx, s.work, nil, s.program, append(args, "--threads", fmt.Sprint(threads), "--progress", "none")...)
	return used, err
}
