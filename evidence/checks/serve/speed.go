package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// goals are the bounds of speed: requests a second of a server of one thread.
var goals = []struct {
	what, model   string
	rows, n, digs int
	least         float64
}{
	{"linear, 100 rows × 46 features of 6 digits", "linear", 100, 46, 6, 4000},
	{"linear, 100 rows × 46 features of 17 digits", "linear", 100, 46, -1, 4000},
	{"Gaussian, 2000 support rows, 100 rows × 50 features", "kernel", 100, 50, -1, 300},
}

// slowest is the bound of the 99th percentile of the time of an answer, at half the requests
// of the bound.
const slowest = 5 * time.Millisecond

// speed measures requests a second by wrk, and times of answers at half of the bound.
func (r *run) speed() error {
	wrk, err := exec.LookPath("wrk")
	if err != nil {
		fmt.Println("      skipped: there is no wrk")
		return nil
	}
	if err := r.linear("linear.model", 46, 1); err != nil {
		return err
	}
	if err := r.gaussian("kernel.model", 2000, 50); err != nil {
		return err
	}
	s, err := r.serve("linear.model", "kernel.model", "--threads", "1")
	if err != nil {
		return err
	}
	defer s.kill()
	for _, g := range goals {
		text := body(g.rows, g.n, g.digs)
		path := "/v1/models/" + g.model + "/score"
		before, err := s.gauge("process_cpu_seconds_total")
		if err != nil {
			return err
		}
		rate, count, failed, err := r.byWrk(wrk, s.url+path, text)
		if err != nil {
			return err
		}
		after, err := s.gauge("process_cpu_seconds_total")
		if err != nil {
			return err
		}
		r.bound(rate >= g.least && failed == "",
			"%s: %.0f requests/s, at least %.0f; %.0f in a second of processor time%s",
			g.what, rate, g.least, count/(after-before), failed)
		if g.model != "linear" {
			continue
		}
		times, err := s.atRate(r.ctx, path, text, g.least/2, r.wrk)
		if err != nil {
			return err
		}
		p99 := times.share(0.99)
		r.bound(p99 < slowest, "%s at %.0f requests/s: median %v, 99 %% within %v, bound %v", g.what, g.least/2,
			times.share(0.5), p99, slowest)
	}
	return s.alive()
}

// script makes wrk send a file.
const script = `
local f = io.open("%s", "rb")
wrk.method = "POST"
wrk.body = f:read("*a")
wrk.headers["Content-Type"] = "application/json"
f:close()
`

// wrkRate and wrkFailed are lines of wrk.
var (
	wrkRate   = regexp.MustCompile(`Requests/sec:\s+([0-9.]+)`)
	wrkCount  = regexp.MustCompile(`(\d+) requests in `)
	wrkFailed = regexp.MustCompile(`(?m)^\s*(Non-2xx.*|Socket errors.*)$`)
)

// byWrk is how many requests a second a server answers to eight connections, and how many
// it answered in all.
func (r *run) byWrk(wrk, url, text string) (rate, count float64, failed string, err error) {
	if err := os.WriteFile(r.path("body.json"), []byte(text), 0o666); err != nil {
		return 0, 0, "", err
	}
	if err := os.WriteFile(r.path("post.lua"), []byte(fmt.Sprintf(script, r.path("body.json"))), 0o666); err != nil {
		return 0, 0, "", err
	}
	out, err := exec.CommandContext(r.ctx, wrk, "-t1", "-c8", "-d"+strconv.Itoa(int(r.wrk.Seconds())+1)+"s", "-s",
		r.path("post.lua"), url).CombinedOutput()
	if err != nil {
		return 0, 0, "", fmt.Errorf("wrk: %w: %s", err, out)
	}
	m, n := wrkRate.FindSubmatch(out), wrkCount.FindSubmatch(out)
	if m == nil || n == nil {
		return 0, 0, "", fmt.Errorf("wrk tells no rate: %s", out)
	}
	if rate, err = strconv.ParseFloat(string(m[1]), 64); err != nil {
		return 0, 0, "", err
	}
	if count, err = strconv.ParseFloat(string(n[1]), 64); err != nil {
		return 0, 0, "", err
	}
	if f := wrkFailed.FindString(string(out)); f != "" {
		failed = ", " + strings.TrimSpace(f)
	}
	return rate, count, failed, nil
}
