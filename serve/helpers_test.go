package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// No goroutine outlives the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// drawn are normally distributed numbers.
func drawn(seed uint64, n int) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for k := range x {
		x[k] = r.NormFloat64()
	}
	return x
}

func info(learner string, rows int) model.Info {
	return model.Info{Learner: learner, Rows: rows, Lambda: 1}
}

// linear is a linear model of v outputs; names may be nil.
func linear(seed uint64, n, v int, names []string) *model.Model {
	return &model.Model{Info: info("rankrls", 100), Names: names,
		Scorer: &model.Linear{Weights: data.NewDense(v, n, drawn(seed, n*v))}}
}

// gaussian is a kernel model of b support rows.
func gaussian(b, n int) *model.Model {
	return &model.Model{Info: info("rankrls", b), Scorer: &model.Kernel{
		Kernel: kernel.Gaussian{Gamma: 1 / float64(n)}, Support: data.NewDense(b, n, drawn(2, b*n)),
		Coef: data.NewDense(b, 1, drawn(3, b)),
	}}
}

// stumps returns stumps of three features.
func stumps() *model.Model {
	return &model.Model{Info: info("rankboost", 10), Names: []string{"a", "b", "c"},
		Scorer: &model.Stumps{Features: 3, Terms: []model.Stump{
			{Feature: 0, Threshold: 0.5, Weight: 1}, {Feature: 2, Threshold: -1, Weight: 0.25},
			{Feature: 0, Threshold: 1.5, Weight: 2},
		}}}
}

// precomputed is a model of kernel values with four training rows.
func precomputed() *model.Model {
	return &model.Model{Info: info("rankrls", 4), Scorer: &model.Kernel{Kernel: kernel.Precomputed{},
		SupportRows: []int{1, 3}, Coef: data.NewDense(2, 1, []float64{1, -2})}}
}

// pairs is a model of three row nodes and two column nodes.
func pairs() *pairmodel.Model {
	return &pairmodel.Model{
		Info: info("rankrls", 6), Kernel: pairwise.Kronecker,
		Rows: pairmodel.Side{Kernel: kernel.Linear{}, Support: data.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}),
			Names: []string{"u", "v"}, ID: []string{"r1", "r2", "r3"}},
		Cols: &pairmodel.Side{Kernel: kernel.Gaussian{Gamma: 0.5}, Support: data.NewDense(2, 1, []float64{0, 1}),
			ID: []string{"c1", "c2"}},
		Coef: data.NewDense(3, 2, []float64{1, 2, 3, 4, 5, -6}),
	}
}

// saved writes a model into a folder.
func saved(t testing.TB, dir, name string, m interface{ WriteFile(string) error }) Source {
	t.Helper()
	path := filepath.Join(dir, name+".model")
	if err := m.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	return Source{Name: name, File: path}
}

// allKinds are models of every kind.
func allKinds(t testing.TB) []Source {
	dir := t.TempDir()
	scaled := linear(4, 3, 1, nil)
	scaled.Normalizer = &data.Normalizer{Kind: data.NormalizeZScore, Shift: []float64{1, 2, 3},
		Scale: []float64{1, 0.5, 2}}
	byQuery := linear(5, 3, 1, nil)
	byQuery.Normalizer = &data.Normalizer{Kind: data.NormalizeQueryMinMax}
	return []Source{
		saved(t, dir, "linear", linear(1, 3, 1, []string{"a", "b", "c"})),
		saved(t, dir, "numbers", linear(1, 3, 1, nil)),
		saved(t, dir, "outputs", linear(1, 3, 2, nil)),
		saved(t, dir, "scaled", scaled),
		saved(t, dir, "byquery", byQuery),
		saved(t, dir, "kernel", gaussian(7, 3)),
		saved(t, dir, "stumps", stumps()),
		saved(t, dir, "given", precomputed()),
		saved(t, dir, "pairs", pairs()),
	}
}

// made is a server for a test with special models.
func made(t testing.TB, o Options) *Server {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// reply is an answer.
type reply struct {
	status int
	header http.Header
	text   []byte
}

// send sends a request to a handler.
func send(h http.Handler, method, path, body string, headers ...string) reply {
	var in io.Reader
	if body != "" {
		in = bytes.NewReader([]byte(body))
	}
	r := httptest.NewRequest(method, "http://localhost"+path, in)
	for k := 0; k < len(headers); k += 2 {
		r.Header.Set(headers[k], headers[k+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return reply{w.Code, w.Header(), w.Body.Bytes()}
}

// into decodes an answer and fails for unknown fields.
func (r reply) into(t testing.TB, status int, v any) {
	t.Helper()
	if r.status != status {
		t.Fatalf("status %d, want %d: %s", r.status, status, r.text)
	}
	d := json.NewDecoder(bytes.NewReader(r.text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v: %s", err, r.text)
	}
}

// problem is the one of an answer.
func (r reply) problem(t testing.TB, status int, code string) Problem {
	t.Helper()
	var p Problem
	r.into(t, status, &p)
	if kind := r.header.Get("Content-Type"); kind != "application/problem+json" || p.Status != status ||
		p.Code != code || p.Title != http.StatusText(status) || p.Request == "" {
		t.Errorf("a problem of type %s: %s, want code %s", kind, r.text, code)
	}
	return p
}

// scored is an answer to score or rank, of one output.
type scored struct {
	Model, Version string
	Given          string
	Columns, IDs   []string
	Scores         []float64
	Order          []int
}

func write(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
