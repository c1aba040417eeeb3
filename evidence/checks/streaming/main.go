// Command streaming measures training on data larger than memory: how one pass over many files compares with parsing
// alone, whether all ways lead to the same model, how the cost grows with rows, features and workers, and what 10⁹ and
// 10¹² rows would cost.
//
//	go -C evidence/checks run ./streaming -o .
//
// The files have the shape of LETOR collections and are made from a seed; 10⁷ rows of 46 features take 5 GB in -work,
// where they stay for the next run. Every measurement is a separate process. The rows on Apache Beam need the module in
// beam/; if it does not build, the program says so and leaves them out. For a short run give -rows 200000 -most 200000.
//
// The files:
//
//   - main.go: flags and sections
//   - parts.go: the files of rows
//   - pass.go, parse.go: time and memory of one pass, and of parsing alone
//   - ways.go, beam.go: the models, and those of Beam
//   - growth.go, price.go: cost over rows, features and workers, and the price that follows
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"pairrank/evidence/checks/internal/process"
	"pairrank/evidence/papers/experiment"
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
	flag.IntVar(&s.shape.rows, "rows", 10_000_000, "`N` rows of the large set")
	flag.IntVar(&s.shape.features, "features", 46, "`N` features of the large set")
	flag.IntVar(&s.shape.queries, "queries", 40_000, "`N` queries of the large set")
	flag.IntVar(&s.shape.files, "files", 40, "`N` files of the large set")
	flag.StringVar(&s.work, "work", filepath.Join(os.TempDir(), "streaming"), "`FOLDER` for files, which stay there")
	flag.IntVar(&s.runs, "runs", 3, "`N` repetitions in turn; tables have their median")
	flag.IntVar(&s.most, "most", 3_200_000, "`N` rows of the largest point of a curve")
	flag.StringVar(&s.machine.name, "machine", "AWS c7i.4xlarge, on demand, us-east-1", "machine of the cluster")
	flag.IntVar(&s.machine.vcpus, "vcpus", 16, "`N` virtual processors of the machine")
	flag.Float64Var(&s.machine.network, "network", 12.5, "network of the machine, Gbit/s")
	flag.Float64Var(&s.machine.price, "price", 0.714, "price of the machine, US$ an hour")
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
	used, _, err := process.Run(ctx, s.work, nil, s.program,
		append(args, "--threads", fmt.Sprint(threads), "--progress", "none")...)
	return used, err
}
