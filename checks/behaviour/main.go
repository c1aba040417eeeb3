// Command behaviour tells whether two builds of the program behave alike: it runs
// some hundreds of command lines with both and compares, byte for byte, what each
// prints, its exit code, and every file that it writes.
//
//	go build -o old.out ./cmd/pairrank     # before a change
//	go build -o new.out ./cmd/pairrank     # after it
//	go -C checks run ./behaviour -before ../old.out -after ../new.out
//
// With the same program as both it shows that nothing else differs from run to run:
// that must give no difference. The exit code is 1 where there is one that is not
// intended, 2 where the comparison could not be made. A file of -intended has lines
// of a regular expression, a tab and a reason: what differs in cases whose line in
// cases/ it matches is listed under the reason, and is no failure.
//
// The inputs are made in a folder of their own, the same at each run: hand-written
// ones of files/, some from seeds, others by the program -before, and of all these
// some that are damaged in a known way. A case gets copies of those that it names.
//
// Files: main.go flags; cases.go what is run; inputs.go what it reads, seeded.go,
// relations.go, arrays.go and damaged.go parts of that; run.go one run of one case;
// volatile.go what is not compared; compare.go differences, excerpt.go how they are
// shown; report.go the summary.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
)

// settings are what the flags say.
type settings struct {
	before, after string
	cases         string
	only          *regexp.Regexp
	intended      []intention
	keep          string
	workers       int
}

var errDiffers = errors.New("the two differ")

func main() {
	var s settings
	var only, intended string
	flag.StringVar(&s.before, "before", "", "program of the behaviour that is to be kept")
	flag.StringVar(&s.after, "after", "", "program that is to behave alike")
	flag.StringVar(&s.cases, "cases", "", "file of cases, instead of those of this package")
	flag.StringVar(&only, "only", "", "regular expression of the cases to run: of their lines, or of [their group]")
	flag.StringVar(&s.keep, "keep", "", "folder for the inputs, and for what both programs left in each case that differs")
	flag.StringVar(&intended, "intended", "", "file of differences that are no failure: regular expression of the case, tab, reason")
	flag.IntVar(&s.workers, "workers", 2, "cases that run at a time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := s.complete(only, intended)
	if err == nil {
		err = run(ctx, s)
	}
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "behaviour:", err)
	stop()
	if errors.Is(err, errDiffers) {
		os.Exit(1)
	}
	os.Exit(2)
}

// complete checks the flags, and reads what they name.
func (s *settings) complete(only, intended string) (err error) {
	if flag.NArg() > 0 || s.before == "" || s.after == "" {
		return errors.New("the form is -before PROGRAM -after PROGRAM")
	}
	if s.workers < 1 {
		return fmt.Errorf("-workers is at least 1, not %d", s.workers)
	}
	for _, program := range []*string{&s.before, &s.after} {
		if *program, err = filepath.Abs(*program); err != nil {
			return err
		}
	}
	if s.only, err = regexp.Compile(only); err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if intended != "" {
		s.intended, err = readIntentions(intended)
	}
	return err
}

func run(ctx context.Context, s settings) error {
	all, err := readCases(s.cases)
	if err != nil {
		return err
	}
	all = chosen(all, s.only)
	if len(all) == 0 {
		return errors.New("there is no such case")
	}
	folder, err := os.MkdirTemp("", "behaviour")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	files, err := makeInputs(ctx, s.before, filepath.Join(folder, "inputs"))
	if err != nil {
		return fmt.Errorf("making the inputs: %w", err)
	}
	if s.keep != "" {
		if err := files.keep(filepath.Join(s.keep, "inputs")); err != nil {
			return err
		}
	}
	results, err := runAll(ctx, s, all, files, folder)
	if err != nil {
		return err
	}
	return report(os.Stdout, s, results)
}
