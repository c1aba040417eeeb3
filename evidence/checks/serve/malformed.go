package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// malformedCount is how many malformed requests are sent, further than the long and the
// slow ones.
const malformedCount = 10_000

// statuses are how many answers had each status.
type statuses struct {
	mu   sync.Mutex
	of   map[int]int
	lost int // requests that the server ended without an answer
}

func (s *statuses) add(status int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.lost++
		return
	}
	s.of[status]++
}

// String lists them.
func (s *statuses) String() string {
	var keys []int
	for k := range s.of {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "%d: %d, ", k, s.of[k])
	}
	return fmt.Sprintf("%swithout answer: %d", b.String(), s.lost)
}

// faults are how many had a status that no request may have.
func (s *statuses) faults() (n int) {
	for status, count := range s.of {
		if status >= 500 && status != http.StatusServiceUnavailable {
			n += count
		}
	}
	return n
}

// malformed sends what no client should.
func (r *run) malformed() error {
	if err := r.linear("linear.model", 46, 1); err != nil {
		return err
	}
	if err := r.gaussian("kernel.model", 50, 5); err != nil {
		return err
	}
	s, err := r.serve("linear.model", "kernel.model", "--read-timeout", "3s", "--max-held", "64000000")
	if err != nil {
		return err
	}
	defer s.kill()
	all := &statuses{of: map[int]int{}}
	half := func() error {
		s.fuzzed(all, malformedCount/2)
		return s.alive()
	}
	if err := half(); err != nil {
		return err
	}
	middle, err := s.resident()
	if err != nil {
		return err
	}
	if err := half(); err != nil {
		return err
	}
	end, err := s.resident()
	if err != nil {
		return err
	}
	r.finding(all.faults() == 0 && all.lost == 0, "%d malformed requests: %v", malformedCount, all)
	r.finding(all.of[200] < malformedCount/100, "%d of them turned out to be well-formed", all.of[200])
	const slack = 20 // MB
	r.finding(end <= middle+slack, "resident MB after half of them %.0f, after all %.0f", middle, end)

	long := &statuses{of: map[int]int{}}
	s.long(long)
	if err := s.alive(); err != nil {
		return err
	}
	peak, err := s.resident()
	if err != nil {
		return err
	}
	r.finding(long.faults() == 0 && long.of[413] > 0 && peak < middle+200,
		"50 bodies of 100 MB, announced or not: %v; resident MB %.0f", long, peak)

	slow := &statuses{of: map[int]int{}}
	s.slow(slow, 200)
	status, _, err := s.post("/v1/models/linear/score", body(100, 46, 6))
	r.finding(slow.faults() == 0 && slow.of[408] > 0, "200 clients that stop in the middle: %v", slow)
	r.finding(err == nil && status == 200, "a well-formed request after all of them: %d", status)
	return s.alive()
}

// fuzzed sends malformed requests over some connections.
func (s *server) fuzzed(all *statuses, count int) {
	var wait sync.WaitGroup
	const connections = 8
	for c := range connections {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(uint64(c), uint64(count)))
			for k := range count / connections {
				model := []string{"linear", "kernel"}[random.IntN(2)]
				verb := []string{"score", "rank", "explain"}[random.IntN(3)]
				status, _, err := s.post("/v1/models/"+model+"/"+verb, malformedBody(random, k))
				all.add(status, err)
			}
		})
	}
	wait.Wait()
}

// kindsOfBodies make bodies that are malformed in one way each.
var kindsOfBodies = []func(*rand.Rand) string{
	func(r *rand.Rand) string { return mutated(r, body(3, 46, 6)) },
	func(r *rand.Rand) string {
		return mutated(r, `{"rows":[{"1":0.5,"2":1e5}],"ids":["a"],"top":3,"missing":"error"}`)
	},
	func(r *rand.Rand) string { return body(2, 1+r.IntN(45), 3) },
	func(r *rand.Rand) string { return `{"rows":[[` + strings.Repeat("9", 1+r.IntN(100_000)) + `]]}` },
	func(r *rand.Rand) string { return fmt.Sprintf(`{"rows":[[1e%d]]}`, 300+r.IntN(1_000_000)) },
	func(r *rand.Rand) string {
		return fmt.Sprintf(`{"rows":[[0.%se-%d]]}`, strings.Repeat("0", r.IntN(10_000)), r.IntN(1_000_000))
	},
	func(r *rand.Rand) string { return strings.Repeat("[", 1+r.IntN(200_000)) },
	func(r *rand.Rand) string { return `{"rows":` + strings.Repeat(`{"a":`, 1+r.IntN(50_000)) },
	func(r *rand.Rand) string { return `{"rows":[["` + strings.Repeat(`\u0000`, r.IntN(1000)) + `"]]}` },
	func(r *rand.Rand) string {
		return []string{"", "null", "true", "[]", `{}`, `{"rows":null}`, `{"rows":{}}`, `{"rows":"x"}`,
			`{"rows":[null]}`, `{"rows":[[true]]}`, `{"rows":[[[]]]}`, `{"pairs":[["a","b"]]}`, `{"given":1}`,
			`{"rows":[],"top":1e9,"compare":[[0,0]]}`, `{"rows":[[]],"rows":[[]]}`, "\xff\xfe", "\xef\xbb\xbf{}",
			`{"rows":[[1]]}{"rows":[[1]]}`, `{"rows":[{"1":1,"1":2}]}`}[r.IntN(19)]
	},
	func(r *rand.Rand) string {
		b := make([]byte, r.IntN(5000))
		for k := range b {
			b[k] = byte(r.IntN(256))
		}
		return string(b)
	},
	func(r *rand.Rand) string { return `{"rows":[` + strings.Repeat("[],", 200_000) + `[]]}` },
}

func malformedBody(r *rand.Rand, k int) string { return kindsOfBodies[k%len(kindsOfBodies)](r) }

// mutated changes a few bytes of a text, or cuts it off.
func mutated(r *rand.Rand, text string) string {
	b := []byte(text)
	const signs = `{}[]",:-+.eE0a\ ` + "\x00\xff\n"
	for range 1 + r.IntN(4) {
		b[r.IntN(len(b))] = signs[r.IntN(len(signs))]
	}
	if r.IntN(3) == 0 {
		b = b[:r.IntN(len(b))]
	}
	return string(b)
}

// long sends bodies of 100 MB, with their length and without.
func (s *server) long(all *statuses) {
	const size = 100 << 20
	chunk := []byte(strings.Repeat("[1,2,3],", 8192))
	var wait sync.WaitGroup
	for c := range 5 {
		wait.Go(func() {
			for k := range 10 {
				in := io.LimitReader(&endless{chunk}, size)
				req, err := http.NewRequest("POST", s.url+"/v1/models/linear/score", in)
				if err == nil && (c+k)%2 == 0 {
					req.ContentLength = size
				}
				resp, err := client.Do(req)
				if err != nil {
					all.add(0, err) // the server has answered and closed while the body was sent
					continue
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				all.add(resp.StatusCode, nil)
			}
		})
	}
	wait.Wait()
}

// endless repeats a piece.
type endless struct{ piece []byte }

func (e *endless) Read(p []byte) (int, error) { return copy(p, e.piece), nil }

// slow opens connections that send a part of a request and then nothing.
func (s *server) slow(all *statuses, count int) {
	host := strings.TrimPrefix(s.url, "http://")
	parts := []string{"POST /v1/mod", "POST /v1/models/linear/score HTTP/1.1\r\nHost: localhost\r\n" +
		"Content-Length: 1000\r\n\r\n{\"rows\":[[1,",
		"POST /v1/models/linear/score HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"row\r\n"}
	var wait sync.WaitGroup
	for k := range count {
		wait.Go(func() {
			c, err := net.Dial("tcp", host)
			if err != nil {
				all.add(0, err)
				return
			}
			defer c.Close()
			io.WriteString(c, parts[k%len(parts)])
			c.SetReadDeadline(time.Now().Add(20 * time.Second))
			answer, err := io.ReadAll(c)
			status := 0
			if _, scan := fmt.Fscanf(bytes.NewReader(answer), "HTTP/1.1 %d", &status); scan != nil &&
				k%len(parts) == 0 {
				return // no header, no answer
			}
			all.add(status, err)
		})
	}
	wait.Wait()
}
