package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// mostMB is what a server takes at most while clients ask for more than there is memory for: as
// docs/serving.md says 2.5 times the default of --max-held, and 50 MB.
const mostMB = 2.5*268 + 50

// bounds asks for large answers, and by clients that do not read them.
func (r *run) bounds() error {
	for name, v := range map[string]int{"twenty.model": 20, "many.model": 500} {
		if err := r.outputs(name, 5, v); err != nil {
			return err
		}
	}
	if err := r.oneLarge(); err != nil {
		return err
	}
	for _, c := range []struct {
		model          string
		rows, v, count int
	}{{"twenty", 100_000, 20, r.silent / 10}, {"many", 2000, 500, r.silent}} {
		if err := r.unread(c.model, c.rows, c.v, c.count); err != nil {
			return err
		}
	}
	return nil
}

// oneLarge asks for 50 million scores with one body of 1.1 MB.
func (r *run) oneLarge() error {
	s, err := r.serve("many.model")
	if err != nil {
		return err
	}
	defer s.kill()
	const rows = 100_000
	text := `{"rows":[` + strings.Repeat("[1,0,0,0,1],", rows-1) + `[1,0,0,0,1]]}`
	began := time.Now()
	status, answer, err := s.post("/v1/models/many/score", text)
	if err != nil {
		return err
	}
	took := time.Since(began).Round(time.Millisecond)
	peak, err := s.peak()
	r.finding(peak < mostMB && status == 413,
		"%d rows of 500 outputs by one body: %d, %d bytes, %v, peak %.0f MB: %.200s",
		rows, status, len(answer), took, peak, answer)
	return err
}

// unread has 64 clients ask for large answers and read only the first byte.
func (r *run) unread(model string, rows, v, count int) error {
	s, err := r.serve(model + ".model")
	if err != nil {
		return err
	}
	defer s.kill()
	text := body(rows, 5, 1)
	path := "/v1/models/" + model + "/score"
	request := fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", path,
		len(text), text)
	all := &statuses{of: map[int]int{}}
	var left atomic.Int64
	left.Store(int64(count))
	began := time.Now()
	var wait sync.WaitGroup
	for k := range 64 {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(8, uint64(k)))
			for left.Add(-1) >= 0 && r.ctx.Err() == nil {
				all.add(s.silent(request, time.Duration(5000+random.IntN(5000))*time.Millisecond))
			}
		})
	}
	wait.Wait()
	took := time.Since(began).Round(time.Second)
	peak, err := s.peak()
	if err != nil {
		return err
	}
	end, err := s.resident()
	if err != nil {
		return err
	}
	r.finding(peak < mostMB,
		"%d requests by 64 clients that do not read, %d rows of %d outputs, in %v: %v; "+
			"peak %.0f MB, at the end %.0f MB",
		count, rows, v, took, all, peak, end)
	return s.alive()
}

// silent sends a request and reads the status of its answer; the rest of one of 200 it
// leaves unread for a while, and closes the connection.
func (s *server) silent(request []byte, hold time.Duration) (int, error) {
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		return 0, err
	}
	defer c.Close()
	c.(*net.TCPConn).SetReadBuffer(4096)
	c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := c.Write(request); err != nil {
		return 0, err
	}
	line := make([]byte, len("HTTP/1.1 200"))
	if _, err := io.ReadFull(c, line); err != nil {
		return 0, err
	}
	status, err := strconv.Atoi(string(line[len(line)-3:]))
	if status == 200 {
		time.Sleep(hold)
	}
	return status, err
}

// highWater is the line of the most memory that a process has had.
var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peak is the most resident memory in MB that the server has had.
func (s *server) peak() (float64, error) {
	path := fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid)
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	m := highWater.FindSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%s has no high-water mark", path)
	}
	kB, err := strconv.ParseFloat(string(m[1]), 64)
	return kB * 1024 / 1e6, err
}
