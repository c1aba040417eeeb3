// Command testreport reads the events of go test -json and says what people
// and machines want to know of them.
//
//	go test -json ./... | testreport              packages and failures as they come
//	testreport -summary [-coverage PROFILE] FILE  packages, tests, seeds, coverage
//
// The last line of the summary is "N passed, N failed, N skipped": top-level
// tests, examples and fuzz targets, a package that does not build as one failed
// test, and each of -failed-steps as one more. Where nothing failed although
// the -exit status of go test is not 0, or nothing ran, that is a failure, too.
// The exit status is 1 when anything failed.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	summary := flag.Bool("summary", false, "print the summary of a file of events")
	coverage := flag.String("coverage", "", "coverage profile of go test -coverpkg")
	failedSteps := flag.Int("failed-steps", 0, "further failures, to be counted in the summary")
	exit := flag.Int("exit", 0, "exit status of go test")
	flag.Parse()
	ok, err := false, error(nil)
	if *summary {
		ok, err = summarise(os.Stdout, flag.Arg(0), *coverage, *failedSteps, *exit)
	} else {
		ok, err = follow(os.Stdout, os.Stdin)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// follow prints a line for each package and the output of what fails.
func follow(w io.Writer, events io.Reader) (ok bool, err error) {
	r := newReport()
	r.finished = func(p *pkg) {
		if len(p.failures) == 0 && p.result != "fail" {
			fmt.Fprintf(w, "%-4s  %6.1f s  %s\n", p.result, p.seconds, p.path)
			return
		}
		fmt.Fprint(w, p.failureText())
		fmt.Fprintf(w, "%-4s  %6.1f s  %s\n", "FAIL", p.seconds, p.path)
	}
	if err := r.read(events); err != nil {
		return false, err
	}
	return r.counts().failed == 0, nil
}

// summarise prints the summary of a file of events.
func summarise(w io.Writer, tests, coverage string, failedSteps, exit int) (ok bool, err error) {
	r := newReport()
	if err := readFile(tests, r.read); err != nil {
		return false, err
	}
	var shares map[string]string
	if coverage != "" {
		err := readFile(coverage, func(profile io.Reader) (err error) {
			shares, err = readCoverage(profile)
			return err
		})
		if err != nil {
			return false, err
		}
	}
	c := r.counts()
	if c.failed == 0 && (exit != 0 || len(r.packages) == 0) {
		c.failed = 1
	}
	r.print(w, c, shares, failedSteps)
	return c.failed+failedSteps == 0, nil
}

func readFile(name string, read func(io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return read(f)
}
