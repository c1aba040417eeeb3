package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// server is a process that serves.
type server struct {
	cmd   *exec.Cmd
	url   string
	ended chan error

	mu  sync.Mutex
	log []string // its last lines
}

// address is in the line of the log that says that it serves.
var address = regexp.MustCompile(`address=(http\S+)`)

// serve starts a server on a free port.
func (r *run) serve(args ...string) (*server, error) {
	s := &server{ended: make(chan error, 1)}
	s.cmd = exec.CommandContext(r.ctx, r.program, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	s.cmd.Dir = r.dir
	log, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	found := make(chan string, 1)
	go s.follow(log, found)
	select {
	case s.url = <-found:
		return s, nil
	case err := <-s.ended:
		return nil, fmt.Errorf("the server ended: %v\n%s", err, strings.Join(s.log, "\n"))
	case <-r.ctx.Done():
		return nil, r.ctx.Err()
	}
}

// follow reads the log to its end, which is that of the server.
func (s *server) follow(log io.Reader, found chan<- string) {
	const lines = 20
	for in := bufio.NewScanner(log); in.Scan(); {
		if m := address.FindStringSubmatch(in.Text()); m != nil {
			found <- m[1]
		}
		s.mu.Lock()
		s.log = append(s.log[max(0, len(s.log)-lines):], in.Text())
		s.mu.Unlock()
	}
	s.ended <- s.cmd.Wait()
}

// alive reports whether it runs, and otherwise says how it ended.
func (s *server) alive() error {
	select {
	case err := <-s.ended:
		s.ended <- err
		return fmt.Errorf("the server ended: %v: %s", err, strings.Join(s.log, "\n"))
	default:
		return nil
	}
}

// kill ends it at once.
func (s *server) kill() {
	s.cmd.Process.Kill()
	<-s.ended
}

// client has a connection for each request that runs.
var client = &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 256}}

// post sends a body.
func (s *server) post(path, body string) (status int, text []byte, err error) {
	resp, err := client.Post(s.url+path, "application/json", strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	text, err = io.ReadAll(resp.Body)
	return resp.StatusCode, text, err
}

// gauge is a number of /metrics.
func (s *server) gauge(name string) (float64, error) {
	resp, err := client.Get(s.url + "/metrics")
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("/metrics has no %s", name)
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

// resident is its memory in MB.
func (s *server) resident() (float64, error) {
	v, err := s.gauge("process_resident_memory_bytes")
	return v / 1e6, err
}
