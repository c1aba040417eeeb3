package serve

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// matrixBody is a request of so many rows with n features of some digits.
func matrixBody(rows, n, digits int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString(`{"rows":[`)
	for i := range rows {
		b.WriteString(map[bool]string{true: "[", false: ",["}[i == 0])
		for j := range n {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatFloat(r.Float64(), 'f', digits, 64))
		}
		b.WriteByte(']')
	}
	b.WriteString("]}")
	return []byte(b.String())
}

// nobody takes an answer and forgets it.
type nobody struct{ header http.Header }

func (w nobody) Header() http.Header         { return w.header }
func (w nobody) Write(p []byte) (int, error) { return len(p), nil }
func (w nobody) WriteHeader(int)             {}

// BenchmarkScore is a request to score from the router to the answer, without the network.
func BenchmarkScore(b *testing.B) {
	dir := b.TempDir()
	s := made(b,
		Options{Models: []Source{saved(b, dir, "linear", linear(1, 46, 1, nil)),
			saved(b, dir, "kernel", gaussian(2000, 50))}})
	for name, c := range map[string]struct {
		path string
		body []byte
	}{
		"linear/rows=100/features=46/digits=6":       {"/v1/models/linear/score", matrixBody(100, 46, 6)},
		"linear/rows=100/features=46/digits=17":      {"/v1/models/linear/score", matrixBody(100, 46, -1)},
		"kernel/support=2000/rows=100/features=50":   {"/v1/models/kernel/score", matrixBody(100, 50, -1)},
		"linear/rank/rows=100/features=46/digits=17": {"/v1/models/linear/rank", matrixBody(100, 46, -1)},
	} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest("POST", "http://localhost"+c.path, nil)
			in := bytes.NewReader(c.body)
			r.Body, r.ContentLength = io.NopCloser(in), int64(len(c.body))
			b.ReportAllocs()
			for b.Loop() {
				in.Reset(c.body)
				w := nobody{http.Header{}}
				s.ServeHTTP(w, r)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}
