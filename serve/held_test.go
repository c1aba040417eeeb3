package serve

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/model"
)

// heldBy are the bytes that a server's requests hold.
func heldBy(s *Server) int64 { return s.admit.budget.held.Load() }

// A request with a too large answer is refused before anything is scored, with a reason.
func TestLargeAnswerRefused(t *testing.T) {
	src := saved(t, t.TempDir(), "m", linear(1, 3, 500, nil))
	s := made(t, Options{Models: []Source{src}, MaxHeld: 1 << 20})
	body := `{"rows":[` + strings.Repeat("[1,2,3],", 999) + `[1,2,3]]}`
	p := send(s, "POST", "/v1/models/m/rank", body).problem(t, 413, "too-large")
	if len(p.Errors) != 1 || p.Errors[0].Pointer != "/rows" || p.Hint != inSeveral ||
		!strings.HasPrefix(p.Detail, "1000 rows of 500 outputs: the request needs ") || !strings.HasSuffix(p.Detail,
		" have 1048576") {
		t.Errorf("%+v", p)
	}
	if send(s, "POST", "/v1/models/m/rank", `{"rows":[[1,2,3]]}`).status != 200 || heldBy(s) != 0 {
		t.Errorf("%d bytes are held", heldBy(s))
	}
}

// stuck is a client that does not read its answer until it may.
type stuck struct {
	httptest.ResponseRecorder
	began, may chan struct{}
}

func (w *stuck) Write(p []byte) (int, error) {
	close(w.began)
	<-w.may
	return w.ResponseRecorder.Write(p)
}

// An answer counts until it is written. Meanwhile other requests are refused with 503 where there
// is no room, and answered once there is.
func TestUnreadAnswerCounts(t *testing.T) {
	src := saved(t, t.TempDir(), "m", linear(1, 3, 100, nil))
	s := made(t, Options{Models: []Source{src}, MaxHeld: 1 << 20})
	body := `{"rows":[` + strings.Repeat("[1,2,3],", 199) + `[1,2,3]]}`
	w := &stuck{*httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r := httptest.NewRequest("POST", "http://localhost/v1/models/m/score", strings.NewReader(body))
		s.ServeHTTP(w, r)
	}()
	<-w.began
	held := heldBy(s)
	r := send(s, "POST", "/v1/models/m/score", body)
	if r.problem(t, 503, "memory-full"); r.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	if got := heldBy(s); got != held {
		t.Errorf("%d bytes are held, and %d were before a request that was refused", got, held)
	}
	close(w.may)
	<-ended
	if length := int64(w.Body.Len()); w.Code != 200 || held < length || held > 2*length {
		t.Errorf("status %d: %d bytes were held for an answer of %d", w.Code, held, length)
	}
	if send(s, "POST", "/v1/models/m/score", body).status != 200 || heldBy(s) != 0 {
		t.Errorf("%d bytes are held", heldBy(s))
	}
}

// Every request allocates less than it counts, and afterwards nothing is counted.
func TestRequestsCountWhatTheyTake(t *testing.T) {
	dir := t.TempDir()
	byQuery := linear(2, 40, 1, nil)
	byQuery.Normalizer = &data.Normalizer{Kind: data.NormalizeQueryMinMax}
	named := make([]string, 40)
	for k := range named {
		named[k] = fmt.Sprint("feature ", k)
	}
	tiny := make([]float64, 40*9)
	for k := range tiny {
		tiny[k] = -2.2250738585072014e-308
	}
	s := made(t, Options{MaxBody: 4 << 20, Models: []Source{
		saved(t, dir, "linear", linear(1, 40, 1, nil)), saved(t, dir, "outputs", linear(1, 40, 60, nil)), saved(t,
			dir, "named", linear(1, 40, 1, named)),
		saved(t, dir, "byquery", byQuery), saved(t, dir, "kernel", gaussian(100, 40)), saved(t, dir, "pairs", pairs()),
		saved(t, dir, "tiny", &model.Model{Info: info("rankrls", 9), Scorer: &model.Linear{Weights: data.NewDense(9,
			40, tiny)}}),
	}})
	dense := string(matrixBody(2000, 40, 1))
	ragged := strings.Replace(dense, "]]", ",null]]", 1)
	sparse := `{"rows":[` + strings.Repeat(`{"40":1.5},{},`, 5000) + `{}]}`
	texts := `"ids":[` + strings.Repeat(`"<>",`, 1999) + `"a"]`
	objects := `{"missing":"zero","rows":[` + strings.Repeat(`{"feature 7":1,"feature 3":2},`, 3000) + `{}]}`
	couples := `{"pairs":[` + strings.Repeat(`["r1","c2"],`, 5000) + `["r3","c1"]]}`
	for _, c := range []struct{ model, verb, body string }{
		{"linear", "score", dense}, {"linear", "rank", dense}, {"linear", "rank", `{"top":3,` + texts + `,` +
			dense[1:]},
		{"linear", "score", `{"missing":"zero","extra_features":"ignore",` + ragged[1:]}, {"linear", "score", sparse},
		{"linear", "score", `{"missing":"zero",` + strings.Replace(dense, "[[", "[[],[", 1)[1:]},
		{"outputs", "score", dense}, {"outputs", "rank", dense}, {"outputs", "rank", sparse}, {"named", "rank",
			objects},
		{"byquery", "rank", dense}, {"kernel", "score", dense}, {"kernel", "score", sparse}, {"tiny", "rank", dense},
		{"pairs", "score", couples}, {"pairs", "rank", couples}, {"pairs", "rank", `{"given":"r2"}`},
		{"linear", "explain", `{"compare":[[0,1],[7,8]],` + dense[1:]}, {"byquery", "explain",
			`{"compare":[[0,1]],"top":40,` + dense[1:]},
		{"kernel", "explain", `{"compare":[[0,1],[2,3]],"top":100,` + dense[1:]}, {"pairs", "explain",
			`{"compare":[[0,1],[2,3]],"top":1000000000,` + couples[1:]},
	} {
		by := map[string]answerFunc{"score": (*loaded).answerScore, "rank": (*loaded).answerRank,
			"explain": (*loaded).answerExplain}[c.verb]
		l := s.models[c.model].current.Load()
		work := func() (j *job, made int64) {
			j = &job{budget: &s.admit.budget}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if p := s.admit.body(j, httptest.NewRequest("POST", "/", strings.NewReader(c.body))); p != nil {
				t.Fatal(p)
			}
			if p := by(l, j, c.model); p != nil {
				t.Fatalf("%s: %v", c.model, p)
			}
			runtime.ReadMemStats(&after)
			return j, int64(after.TotalAlloc - before.TotalAlloc)
		}
		warm, _ := work() // the model makes things once
		warm.give(warm.taken)
		j, made := work()
		// Products keep memory for the next one, which the collector may take in between.
		const slack = 512 << 10
		if name := c.model + " " + c.verb + " " + c.body[:min(40, len(c.body))]; made > j.taken+j.taken/4+slack {
			t.Errorf("%s…: %d bytes were made and %d counted", name, made, j.taken)
		} else if j.size() > j.taken {
			t.Errorf("%s…: a job of %d bytes, and %d are counted", name, j.size(), j.taken)
		}
		j.settle()
		if j.taken != j.size() {
			t.Errorf("%d bytes are counted of a job of %d", j.taken, j.size())
		}
		j.give(j.taken)
	}
	if heldBy(s) != 0 {
		t.Errorf("%d bytes are held", heldBy(s))
	}
}

// A refused request releases its memory, at whatever stage.
func TestRefusedRequestsGiveBack(t *testing.T) {
	s := made(t, Options{Models: allKinds(t), MaxHeld: 100 << 10, MaxBody: 1 << 20})
	row := strings.Repeat("[1,2,3],", 3000)
	codes := map[string]int{}
	for _, body := range []string{
		`{"rows":[` + row + `[1,2,3]]}`, `{"rows":[` + row[:16000] + `[1,2]]}`, `{"rows":[` + row[:24000] +
			`{"x":1}]}`, "", `{"rows":[[1,2,3]],"ids":[]}`,
		`{"rows":[` + strings.Repeat("[],", 1000) + `[]],"missing":"zero"}`, strings.Repeat(" ", 90<<10),
	} {
		for name := range s.models {
			for _, verb := range []string{"score", "rank", "explain"} {
				codes[http.StatusText(send(s, "POST", "/v1/models/"+name+"/"+verb, body).status)]++
				if held := heldBy(s); held != 0 {
					t.Fatalf("%s %s of %.30s…: %d bytes are held", name, verb, body, held)
				}
			}
		}
	}
	for _, want := range []int{400, 413, 422} {
		if codes[http.StatusText(want)] == 0 {
			t.Errorf("no answer of %d among %v", want, codes)
		}
	}
}

// The names of a model are one text, whoever asks.
func TestDetailsAreShared(t *testing.T) {
	s := made(t, Options{Models: allKinds(t)})
	var got details
	send(s, "GET", "/v1/models/pairs", "").into(t, 200, &got)
	if !slices.Equal(got.RowIDs, []string{"r1", "r2", "r3"}) || got.Names != nil || got.MaxRows != Defaults.MaxRows ||
		got.RowNodes != 3 {
		t.Errorf("%+v", got)
	}
	_, first := s.models["linear"].details(&s.options)
	_, second := s.models["linear"].details(&s.options)
	if &first[0] != &second[0] || !strings.HasPrefix(string(first), `"feature_names":["a","b","c"],`) {
		t.Errorf("names %s", first)
	}
}
