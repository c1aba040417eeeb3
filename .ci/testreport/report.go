package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is a line of go test -json (go doc test2json).
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build events
	Test        string
	Elapsed     float64
	Output      string
	FailedBuild string
}

// report is what the events say.
type report struct {
	packages map[string]*pkg
	builds   map[string]string // output of the compiler by import path
	finished func(*pkg)        // called when a package is done, or nil
}

// pkg is a package and its tests.
type pkg struct {
	path     string
	result   string // pass, fail or skip (no tests); "" while it runs
	seconds  float64
	results  map[string]string // of tests and subtests
	output   map[string]string // of tests, subtests and, by "", the package
	real     map[string]bool   // top-level tests that look for real data
	failures []string          // tests and subtests that failed
	build    string            // output of a build that failed
}

// counts are of top-level tests. Those that look for real data are counted once more: ran
// with it, or skipped without.
type counts struct{ passed, failed, skipped, seeds, withData, withoutData int }

// realData begins a line in the log of a test that looks for real data (internal/realdata).
const realData = ": real data: "

func newReport() *report {
	return &report{packages: map[string]*pkg{}, builds: map[string]string{}}
}

// read takes in a stream of events. Lines that are no event are an error.
func (r *report) read(events io.Reader) error {
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			var e event
			if bad := json.Unmarshal([]byte(line), &e); bad != nil {
				return fmt.Errorf("not an event of go test -json: %q", strings.TrimSpace(line))
			}
			r.take(e)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *report) take(e event) {
	if e.Action == "build-output" {
		r.builds[e.ImportPath] += e.Output
		return
	}
	if e.Package == "" {
		return
	}
	p := r.packages[e.Package]
	if p == nil {
		p = &pkg{path: e.Package, results: map[string]string{}, output: map[string]string{}, real: map[string]bool{}}
		r.packages[e.Package] = p
	}
	switch e.Action {
	case "output":
		p.output[e.Test] += e.Output
		if strings.Contains(e.Output, realData) {
			top, _, _ := strings.Cut(e.Test, "/")
			p.real[top] = true
		}
	case "pass", "fail", "skip":
		if e.FailedBuild != "" {
			p.build = r.builds[e.FailedBuild]
		}
		r.end(p, e)
	}
}

// end records the end of a test or of a package.
func (r *report) end(p *pkg, e event) {
	if e.Test != "" {
		p.results[e.Test] = e.Action
		if e.Action == "fail" {
			p.failures = append(p.failures, e.Test)
		} else {
			delete(p.output, e.Test)
		}
		return
	}
	p.result, p.seconds = e.Action, e.Elapsed
	if r.finished != nil {
		r.finished(p)
	}
}

// broken reports whether the package failed without a failed test: it did not
// build, it crashed, or its events are cut off.
func (p *pkg) broken() bool {
	return p.result != "pass" && p.result != "skip" && len(p.failures) == 0
}

// failureText is all that was printed by what failed.
func (p *pkg) failureText() string {
	var b strings.Builder
	b.WriteString(p.build)
	for _, test := range p.failures {
		b.WriteString(p.output[test])
		delete(p.output, test)
	}
	if p.result == "fail" {
		for _, test := range slices.Sorted(maps.Keys(p.output)) {
			b.WriteString(p.output[test]) // of a test that never ended, or of the package
		}
	}
	return b.String()
}

// counts adds up the tests of all packages. A package that failed without a
// failed test (it did not build, or it crashed) is one failed test.
func (r *report) counts() (c counts) {
	for _, p := range r.packages {
		for test, result := range p.results {
			top, sub, isSub := strings.Cut(test, "/")
			switch {
			case isSub:
				if strings.HasPrefix(top, "Fuzz") && sub != "" {
					c.seeds++
				}
			case result == "pass":
				c.passed++
			case result == "fail":
				c.failed++
			case result == "skip":
				c.skipped++
			}
		}
		for test := range p.real {
			if p.results[test] == "skip" {
				c.withoutData++
			} else {
				c.withData++
			}
		}
		if p.broken() {
			c.failed++
		}
	}
	return c
}

// print writes the summary; coverage is the share of each package's statements
// that the tests ran, or nil.
func (r *report) print(w io.Writer, c counts, coverage map[string]string, failedSteps int) {
	tested := 0
	for _, path := range slices.Sorted(maps.Keys(r.packages)) {
		p := r.packages[path]
		if p.result != "skip" {
			tested++
		}
		fmt.Fprintf(w, "  %-32s %7.1f s", path, p.seconds)
		if share := coverage[path]; share != "" {
			fmt.Fprintf(w, "  %6s of statements", share)
		}
		fmt.Fprintln(w)
	}
	for _, path := range slices.Sorted(maps.Keys(r.packages)) {
		p := r.packages[path]
		for _, test := range slices.Sorted(maps.Keys(p.results)) {
			if p.results[test] != "pass" && !strings.Contains(test, "/") {
				fmt.Fprintf(w, "%s: %s %s\n", p.results[test], path, test)
			}
		}
		if p.broken() {
			fmt.Fprintf(w, "fail: %s as a whole\n", path)
		}
	}
	fmt.Fprintf(w, "%d packages, %d of them with tests; %d fuzz seeds; %d failed steps\n", len(r.packages), tested,
		c.seeds, failedSteps)
	fmt.Fprintf(w, "%d tests ran on real data, %d were skipped without it\n", c.withData, c.withoutData)
	fmt.Fprintf(w, "%d passed, %d failed, %d skipped\n", c.passed, c.failed+failedSteps, c.skipped)
}
