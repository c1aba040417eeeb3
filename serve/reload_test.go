package serve

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pairrank/data"
)

// shifting is a normaliser that moves zeros.
func shifting(n int) *data.Normalizer {
	norm := &data.Normalizer{Kind: data.NormalizeZScore}
	for range n {
		norm.Shift, norm.Scale = append(norm.Shift, 1), append(norm.Scale, 2)
	}
	return norm
}

const oneRow = `{"rows":[[1,1,1]]}`

// scoreOf is the score of a row of ones.
func scoreOf(t testing.TB, s *Server) float64 {
	t.Helper()
	var got scored
	send(s, "POST", "/v1/models/m/score", oneRow).into(t, 200, &got)
	return got.Scores[0]
}

// weights are a linear model of three features whose score of a row of ones is known.
func ones(t testing.TB, dir string, each float64) Source {
	m := linear(1, 3, 1, nil)
	m.Scorer = linearOf(each, each, each)
	return saved(t, dir, "m", m)
}

func TestReload(t *testing.T) {
	dir := t.TempDir()
	src := ones(t, dir, 1)
	var log bytes.Buffer
	s := made(t, Options{Models: []Source{src}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if got := scoreOf(t, s); got != 3 {
		t.Fatalf("score %v", got)
	}
	ones(t, dir, 2)
	if got := scoreOf(t, s); got != 3 {
		t.Errorf("score %v before the reload", got)
	}
	var list modelList
	send(s, "POST", "/-/reload", "").into(t, 200, &list)
	if got := scoreOf(t, s); got != 6 || list.Models[0].Reloads != 1 || list.Models[0].Failure != nil {
		t.Errorf("score %v after the reload: %+v", got, list)
	}

	good, err := os.ReadFile(src.File)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"cut off": good[:len(good)/2], "altered": bytes.Replace(good, []byte("\n2\n"), []byte("\n3\n"), 1),
		"empty": {}, "none": []byte("hello\n"),
	} {
		if bytes.Equal(text, good) {
			t.Fatalf("%s: nothing was changed", name)
		}
		write(t, src.File, string(text))
		send(s, "POST", "/-/reload", "").problem(t, 409, "reload-refused")
		var now state
		send(s, "GET", "/readyz", "").into(t, 200, &now)
		send(s, "GET", "/v1/models", "").into(t, 200, &list)
		if got := scoreOf(t, s); got != 6 || now.Models[0].Failure == nil || list.Models[0].Failure == nil ||
			now.Status != "ready" {
			t.Errorf("%s: score %v, %+v", name, got, now)
		}
	}
	if text := log.String(); strings.Count(text, "still serves") != 4 || strings.Count(text, "model reloaded") != 1 {
		t.Errorf("the log is\n%s", text)
	}
	os.Remove(src.File)
	if s.Reload() == nil || scoreOf(t, s) != 6 {
		t.Error("a model without a file is reloaded")
	}
	ones(t, dir, 3)
	if err := s.Reload(); err != nil || scoreOf(t, s) != 9 {
		t.Errorf("%v", err)
	}
	send(s, "GET", "/v1/models", "").into(t, 200, &list)
	if list.Models[0].Failure != nil || list.Models[0].Reloads != 2 {
		t.Errorf("%+v", list)
	}
}

// Golden scores that a model does not give keep it from being served.
func TestGolden(t *testing.T) {
	dir := t.TempDir()
	src := ones(t, dir, 1)
	beside := src.File + goldenEnding
	for text, want := range map[string]string{
		`{"rows":[[1,1,1],[1,2,0]],"scores":[3,3]}`:                      "",
		`{"rows":[[1,1,1]],"scores":[3.0000000001]}`:                     "",
		`{"rows":[[1,1,1]],"scores":[3.1],"tolerance":0.1}`:              "",
		`{"rows":[{"1":1}],"scores":[1],"ids":["a"],"missing":"error"}`:  "",
		`{"rows":[[1,1,1]],"scores":[3.1]}`:                              "golden score 1 is 3.1",
		`{"rows":[[1,1,1]]}`:                                             "golden scores are missing",
		`{"rows":[[1,1,1]],"scores":[3,3]}`:                              "2 golden scores",
		`{"rows":[[1,1]],"scores":[3]}`:                                  "/rows/0",
		`{"rows":[[1,1,1]],"scores":"3"}`:                                "not a list",
		`{"rows":[[1,1,1]],"scores":[3],"tolerance":-1}`:                 "tolerance",
		`{"rows":[[1,1,1]],"scores":[3],"golden":true}`:                  "golden",
		`{"rows":[[1,1,1]],"scores":[[3]]}`:                              "",
		`{"rows":[[1e-320,0,0]],"scores":[1e-320],"missing":"zero"}`:     "",
		`{"pairs":[["a","b"]],"scores":[1]}`:                             "not pairs",
		`{"rows":[[1,1,1]],"scores":[NaN]}`:                              "JSON",
		`{"rows":[[1,1,1],[2,2,2]],"scores":[3,6.1],"tolerance":0.0001}`: "golden score 2",
	} {
		write(t, beside, text)
		s, err := New(Options{Models: []Source{src}})
		if (err == nil) != (want == "") || err != nil &&
			(!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), beside)) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
		if err == nil && s.models["m"].facts().Golden == nil {
			t.Errorf("%s: nothing was verified", text)
		}
	}
	write(t, beside, `{"rows":[[1,1,1]],"scores":[3]}`)
	s := made(t, Options{Models: []Source{src}})
	ones(t, dir, 5)
	if err := s.Reload(); err == nil || scoreOf(t, s) != 3 {
		t.Errorf("a model that does not give the golden scores is served: %v", err)
	}
	src.Golden = write(t, dir+"/other.json", `{"rows":[[1,1,1]],"scores":[15]}`)
	if s := made(t, Options{Models: []Source{src}}); scoreOf(t, s) != 15 {
		t.Error("not the golden scores that were named")
	}
	src.Golden = dir + "/none.json"
	if _, err := New(Options{Models: []Source{src}}); err == nil {
		t.Error("golden scores that are named need not be there")
	}
}

// Requests during reloads are answered by one model or the other, each by one alone.
func TestReloadsUnderLoad(t *testing.T) {
	dir := t.TempDir()
	src := ones(t, dir, 1)
	s := made(t, Options{Models: []Source{src}, MaxConcurrent: 64})
	var wait sync.WaitGroup
	var stop atomic.Bool
	var versions sync.Map
	for range 4 {
		wait.Go(func() {
			for !stop.Load() {
				r := send(s, "POST", "/v1/models/m/score", `{"rows":[[1,1,1],[2,2,2]]}`)
				var got scored
				r.into(t, 200, &got)
				if got.Scores[1] != 2*got.Scores[0] {
					t.Errorf("two models answered: %v", got)
				}
				if other, _ := versions.LoadOrStore(got.Version, got.Scores[0]); other != got.Scores[0] {
					t.Errorf("version %s scored %v and %v", got.Version, other, got.Scores[0])
				}
			}
		})
	}
	for k := range 40 {
		ones(t, dir, float64(k%3+1))
		if k%5 == 4 {
			write(t, src.File, "damaged")
			if s.Reload() == nil {
				t.Error("a damaged file is reloaded")
			}
			continue
		}
		if err := s.Reload(); err != nil {
			t.Error(err)
		}
	}
	stop.Store(true)
	wait.Wait()
	if n := s.models["m"].reloads.Load(); n != 32 {
		t.Errorf("%d reloads, want 32", n)
	}
}

// Polling reads changed files, and a damaged file once.
func TestReloadChanged(t *testing.T) {
	dir := t.TempDir()
	src := ones(t, dir, 1)
	s := made(t, Options{Models: []Source{src}})
	h := s.models["m"]
	s.reloadChanged()
	if h.reloads.Load() != 0 {
		t.Error("a file that has not changed is read")
	}
	ones(t, dir, 2)
	s.reloadChanged()
	if h.reloads.Load() != 1 || scoreOf(t, s) != 6 {
		t.Error("a file that has changed is not read")
	}
	write(t, src.File, "damaged")
	s.reloadChanged()
	first := h.failed.Load()
	s.reloadChanged()
	if first == nil || h.failed.Load() != first {
		t.Error("a damaged file is read again")
	}
	write(t, src.File+goldenEnding, `{"rows":[[1,1,1]],"scores":[6]}`)
	ones(t, dir, 2)
	s.reloadChanged()
	if h.failed.Load() != nil || h.current.Load().golden == nil {
		t.Error("golden scores that have come are not read")
	}
}

func TestNewRefuses(t *testing.T) {
	dir := t.TempDir()
	src := ones(t, dir, 1)
	linear := saved(t, dir, "linear", linear(1, 2, 1, []string{"a", "a"}))
	keeps := saved(t, dir, "keeps", pairs())
	keeps.Rows = write(t, dir+"/wide.tsv", "id\tu\tv\tw\nx\t1\t2\t3\n")
	rows := src
	rows.Rows = keeps.Rows
	for want, o := range map[string]Options{
		"no model":           {},
		"two models":         {Models: []Source{src, src}},
		"no such file":       {Models: []Source{{Name: "x", File: dir + "/x"}}},
		"cannot be the name": {Models: []Source{{Name: "a/b", File: src.File}}},
		"MaxRows":            {Models: []Source{src}, MaxRows: -1},
		"certificate":        {Models: []Source{src}, CertFile: "x"},
		"has no token":       {Models: []Source{src}, TokenFile: write(t, dir+"/empty", "\n")},
		"shorter than":       {Models: []Source{src}, TokenFile: write(t, dir+"/short", "\nsecret\n")},
		"two features":       {Models: []Source{linear}},
		"more features":      {Models: []Source{keeps}},
		"scores rows":        {Models: []Source{rows}},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := New(Options{Models: []Source{keeps}, Ignore: true}); err != nil {
		t.Errorf("extra features of nodes are not ignored: %v", err)
	}
}

func TestParseSource(t *testing.T) {
	for text, want := range map[string]string{
		"a/b/model.txt": "model a/b/model.txt", "m.txt.gz": "m m.txt.gz", "ltr=x/y.model": "ltr x/y.model",
		"a=b=c": "a b=c", "dir=x/m.txt": "dir x/m.txt", "./dir=x/m.txt": "m ./dir=x/m.txt",
		"=x": "", "x=": "", "": "", "a b=x": "", "my model.txt": "", "..": "", ".hidden": ".hidden .hidden", "m=": "",
	} {
		src, err := ParseSource(text)
		if got := fmt.Sprint(src.Name, " ", src.File); (err != nil) != (want == "") || err == nil && got != want {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
}
