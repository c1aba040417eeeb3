// Command serve checks the verb serve against docs/serving.md. It builds the program, makes models, starts servers as
// separate processes, and sends them requests.
//
//	go -C evidence/checks run ./serve
//	go -C evidence/checks run ./serve -only malformed,reloads,kills
//	go -C evidence/checks run ./serve -only browser
//
// The parts are
//
//	speed      requests a second by wrk, of a server of one thread, and the time of an answer
//	           at half the bound; needs an idle machine
//	memory     resident memory over -requests requests
//	bounds     memory while 64 clients ask -silent times for large answers and do not read them
//	malformed  10,000 malformed requests: no crash, no status 5xx but 503, constant memory
//	reloads    models exchanged and damaged under load, and no request that fails
//	kills      a server killed during reloads, and training killed while it writes its model
//	browser    the page in headless Chromium, by playwright-core, which npm fetches
//
// The program prints a line for each finding, which begins with ok, or with FAIL if a bound is missed. It then exits
// with 1. A speed below its bound is a failure only with -hold.
//
// The files:
//
//   - main.go: flags and flow
//   - process.go, models.go: servers, models and bodies
//   - speed.go, load.go, bounds.go, malformed.go, reloads.go, kills.go, browser.go: the parts
//   - browser/page.mjs: the steps in the browser
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"pairrank/evidence/papers/experiment"
)

// run is one run of the program.
type run struct {
	ctx      context.Context
	dir      string // of models and bodies
	program  string
	chromium string
	requests int
	silent   int
	wrk      time.Duration // of each measurement
	hold     bool
	missed   int
}

// parts are what there is to do, in this order.
var parts = []struct {
	name string
	do   func(*run) error
}{
	{"speed", (*run).speed}, {"malformed", (*run).malformed}, {"reloads", (*run).reloads}, {"kills", (*run).kills},
	{"browser", (*run).browser}, {"memory", (*run).memory}, {"bounds", (*run).bounds},
}

func main() {
	r := &run{}
	only := flag.String("only", "", "`PARTS` with commas between them (default: all)")
	flag.StringVar(&r.program, "program", "", "`FILE` of the program (default: it is built)")
	flag.StringVar(&r.chromium, "chromium", "/usr/bin/chromium", "`FILE` of the browser")
	flag.IntVar(&r.requests, "requests", 1_000_000, "`N` requests over which memory is looked at")
	flag.IntVar(&r.silent, "silent", 100_000, "`N` requests by clients that do not read their answers")
	flag.DurationVar(&r.wrk, "for", 10*time.Second, "`TIME` of each measurement by wrk")
	flag.BoolVar(&r.hold, "hold", false, "a speed below its bound fails, too")
	experiment.Main("serve", func(ctx context.Context) error {
		r.ctx = ctx
		return r.all(*only)
	})
}

// all does the parts.
func (r *run) all(only string) error {
	chosen := strings.FieldsFunc(only, func(c rune) bool { return c == ',' })
	for _, name := range chosen {
		if !slices.ContainsFunc(parts, func(p struct {
			name string
			do   func(*run) error
		}) bool {
			return p.name == name
		}) {
			return fmt.Errorf("there is no part %q", name)
		}
	}
	var err error
	if r.dir, err = os.MkdirTemp("", "serve"); err != nil {
		return err
	}
	defer os.RemoveAll(r.dir)
	if err := r.prepare(); err != nil {
		return err
	}
	for _, p := range parts {
		if only != "" && !slices.Contains(chosen, p.name) {
			continue
		}
		began := time.Now()
		fmt.Printf("%s\n", p.name)
		if err := p.do(r); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Printf("      %.0f s\n", time.Since(began).Seconds())
	}
	if r.missed > 0 {
		return errors.New("a bound was missed")
	}
	return nil
}

// finding prints what was found, and whether it is as it must be.
func (r *run) finding(ok bool, format string, args ...any) {
	word := "ok   "
	if !ok {
		word = "FAIL "
		r.missed++
	}
	fmt.Printf("%s "+format+"\n", append([]any{word}, args...)...)
}

// bound is a finding about speed, which other work on the machine spoils.
func (r *run) bound(ok bool, format string, args ...any) {
	if !ok && !r.hold {
		fmt.Printf("below "+format+"\n", args...)
		return
	}
	r.finding(ok, format, args...)
}
