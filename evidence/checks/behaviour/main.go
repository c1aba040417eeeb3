// Command behaviour checks that two builds of the program behave alike. It runs hundreds of command lines with both and
// compares, byte for byte, their output, their exit codes and every file that they write.
//
//	go build -o old.out ./cmd/pairrank     # before a change
//	go build -o new.out ./cmd/pairrank     # after it
//	go -C evidence/checks run ./behaviour -before ../old.out -after ../new.out
//
// Given the same program twice it must find no difference: then nothing else varies from run to run. The exit code is 1
// for a difference that is not intended, and 2 if the comparison could not be made. A file of -intended has one line
// for each intended difference: a regular expression, a tab and a reason. The program lists a difference in a case
// whose line in cases/ matches the expression under its reason, and does not count it as a failure.
//
// The program makes the inputs in a temporary folder, the same at each run. Some are hand-written (files/), some are
// made from seeds, some by the program -before, and some of all these are damaged in a known way. A case gets copies of
// the inputs that it names.
//
// The files:
//
//   - main.go: flags
//   - cases.go: the cases
//   - inputs.go, seeded.go, relations.go, arrays.go, damaged.go: their inputs
//   - run.go: one run of one case
//   - volatile.go: output that is not compared
//   - compare.go, excerpt.go: differences, and how they are shown
//   - report.go: the summary
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
	flag.StringVar(&s.before, "before", "", "`PROGRAM` whose behaviour is to be kept")
	flag.StringVar(&s.after, "after", "", "`PROGRAM` that must behave alike")
	flag.StringVar(&s.cases, "cases", "", "`FILE` of cases, instead of those of this package")
	flag.StringVar(&only, "only", "", "`REGEXP` of the cases to run: it matches their lines, or [their group]")
	flag.StringVar(&s.keep, "keep", "",
		"`FOLDER` for the inputs, and for the output of both programs in each case that differs")
	flag.StringVar(&intended, "intended", "",
		"`FILE` of differences that are no failure: regular expression of the case, tab, reason")
	flag.IntVar(&s.workers, "workers", 2, "`N` cases at a time")
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
