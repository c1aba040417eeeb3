package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// The problem of a body names the place.
func TestProblemsNameTheField(t *testing.T) {
	s := made(t, Options{Models: allKinds(t), MaxRows: 4})
	deep := strings.Repeat("[", 100_000)
	for _, c := range []struct {
		model, verb, body string
		status            int
		code, pointer     string
	}{
		{"linear", "score", ``, 400, "malformed", ""},
		{"linear", "score", `{`, 400, "malformed", ""},
		{"linear", "score", `[]`, 400, "malformed", ""},
		{"linear", "score", `null`, 400, "malformed", ""},
		{"linear", "score", `{}`, 400, "malformed", "/rows"},
		{"linear", "score", `{"rows":[[1,2,3]]} {}`, 400, "malformed", ""},
		{"linear", "score", "{\"ids\":[\"\xff\"]}", 400, "malformed", ""},
		{"linear", "score", deep, 400, "malformed", ""},
		{"linear", "score", `{"rows":[[[1]]]}`, 400, "malformed", ""},
		{"linear", "score", `{"rows":[[1,2,3]],"rows":[[1,2,3]]}`, 400, "malformed", "/rows"},
		{"linear", "score", `{"row":[[1,2,3]]}`, 400, "malformed", "/row"},
		{"linear", "score", `{"Rows":[[1,2,3]]}`, 400, "malformed", "/Rows"},
		{"linear", "score", `{"rows":[[1,2,3]],"a/b~":1}`, 400, "malformed", "/a~1b~0"},
		{"linear", "score", `{"rows":{}}`, 400, "malformed", "/rows"},
		{"linear", "score", `{"rows":null}`, 400, "malformed", "/rows"},
		{"linear", "score", `{"rows":[1]}`, 400, "malformed", "/rows/0"},
		{"linear", "score", `{"rows":[[1,2,3],[1,"2",3]]}`, 400, "malformed", "/rows/1/1"},
		{"linear", "score", `{"rows":[[1,2,3],[1,true,3]]}`, 400, "malformed", "/rows/1/1"},
		{"linear", "score", `{"rows":[[1,2,1e999]]}`, 400, "malformed", "/rows/0/2"},
		{"linear", "score", `{"rows":[[1,null,3]]}`, 422, "missing", "/rows/0/1"},
		{"linear", "score", `{"rows":[[1,2,3],[1,2]]}`, 422, "wrong-width", "/rows/1"},
		{"linear", "score", `{"rows":[[1,2,3,4]]}`, 422, "wrong-width", "/rows/0"},
		{"linear", "score", `{"rows":[[1,2,3,4,null]],"missing":"zero"}`, 422, "wrong-width", "/rows/0"},
		{"linear", "score", `{"rows":[{"a":1,"b":2}]}`, 422, "missing", "/rows/0/c"},
		{"linear", "score", `{"rows":[{"a":1,"b":2,"c":null}]}`, 422, "missing", "/rows/0/c"},
		{"linear", "score", `{"rows":[{"a":1,"b":2,"c":3,"x/y":3}]}`, 422, "unknown-feature", "/rows/0/x~1y"},
		{"linear", "score", `{"rows":[{"a":1,"b":2,"c":3,"a":3}]}`, 400, "malformed", "/rows/0/a"},
		{"linear", "score", `{"rows":[{"a":1,"b":2,"c":"3"}]}`, 400, "malformed", "/rows/0/c"},
		{"numbers", "score", `{"rows":[{"4":1}]}`, 422, "unknown-feature", "/rows/0/4"},
		{"numbers", "score", `{"rows":[{"01":1}]}`, 422, "unknown-feature", "/rows/0/01"},
		{"numbers", "score", `{"rows":[{"f4":1}]}`, 422, "unknown-feature", "/rows/0/f4"},
		{"numbers", "score", `{"rows":[{"ff1":1}]}`, 422, "unknown-feature", "/rows/0/ff1"},
		{"numbers", "score", `{"rows":[{"1":1,"f1":2}]}`, 400, "malformed", "/rows/0/1"},
		{"linear", "score", `{"rows":[{"a":1,"b":2,"c":3,"f1":1}]}`, 422, "unknown-feature", "/rows/0/f1"},
		{"numbers", "score", `{"rows":[{"1":1,"1":null}],"missing":"zero"}`, 400, "malformed", "/rows/0/1"},
		{"linear", "score", `{"rows":[[1,2,3]],"ids":["a","b"]}`, 400, "malformed", "/ids"},
		{"linear", "score", `{"rows":[[1,2,3]],"ids":[1]}`, 400, "malformed", "/ids/0"},
		{"linear", "score", `{"rows":[[1,2,3]],"ids":"a"}`, 400, "malformed", "/ids"},
		{"linear", "score", `{"rows":[[1,2,3]],"missing":"mean"}`, 400, "malformed", "/missing"},
		{"linear", "score", `{"rows":[[1,2,3]],"extra_features":true}`, 400, "malformed", "/extra_features"},
		{"linear", "score", `{"rows":[[1,2,3]],"top":1}`, 400, "malformed", "/top"},
		{"linear", "rank", `{"rows":[[1,2,3]],"top":0}`, 400, "malformed", "/top"},
		{"linear", "rank", `{"rows":[[1,2,3]],"top":1.5}`, 400, "malformed", "/top"},
		{"linear", "rank", `{"rows":[[1,2,3]],"compare":[]}`, 400, "malformed", "/compare"},
		{"linear", "explain", `{"rows":[[1,2,3]],"compare":[[0,1]]}`, 400, "malformed", "/compare/0/1"},
		{"linear", "explain", `{"rows":[[1,2,3]],"compare":[[0]]}`, 400, "malformed", "/compare/0"},
		{"linear", "explain", `{"rows":[[1,2,3]],"compare":[0]}`, 400, "malformed", "/compare/0"},
		{"outputs", "explain", `{"rows":[[1,2,3]]}`, 422, "wrong-kind", "/rows/0"},
		{"linear", "score", `{"rows":[[1,2,3],[1,2,3],[1,2,3],[1,2,3],[1,2,3]]}`, 413, "too-many-rows", "/rows"},
		{"linear", "score", `{"rows":[{},{},{},{},{}],"missing":"zero"}`, 413, "too-many-rows", "/rows"},
		{"linear", "score", `{"rows":[[1e308,1e308,-1e308],[1,2,3]],"ids":["A","B"]}`, 422, "overflow", "/rows/0"},
		{"linear", "score", `{"pairs":[["a","b"]]}`, 422, "wrong-kind", "/pairs"},
		{"linear", "score", `{"given":"a"}`, 422, "wrong-kind", "/given"},
		{"given", "score", `{"rows":[[1,2,3]]}`, 422, "wrong-width", "/rows/0"},
		{"given", "score", `{"rows":[[1,2,3]],"missing":"zero"}`, 422, "wrong-width", "/rows/0"},
		{"given", "score", `{"rows":[[1,2,3,null]],"missing":"zero"}`, 422, "missing", "/rows/0/3"},
		{"given", "score", `{"rows":[{"1":1}]}`, 422, "wrong-kind", "/rows/0"},
		{"pairs", "score", `{"rows":[[1,2,3]]}`, 422, "wrong-kind", "/rows"},
		{"pairs", "score", `{"rows":[[1,2,3]],"ids":["a"]}`, 422, "wrong-kind", "/rows"},
		{"pairs", "score", `{}`, 400, "malformed", "/pairs"},
		{"pairs", "score", `{"pairs":[["r1"]]}`, 400, "malformed", "/pairs/0"},
		{"pairs", "score", `{"pairs":["r1c1"]}`, 400, "malformed", "/pairs/0"},
		{"pairs", "score", `{"pairs":[["r1","c1"],["r1","c1","c2"]]}`, 400, "malformed", "/pairs/1"},
		{"pairs", "score", `{"pairs":[["r1","c1"],["r9","c1"]]}`, 422, "unknown-node", "/pairs/1/0"},
		{"pairs", "score", `{"pairs":[["r1","c9"]]}`, 422, "unknown-node", "/pairs/0/1"},
		{"pairs", "score", `{"given":"c1"}`, 422, "unknown-node", "/given"},
		{"pairs", "score", `{"given":7}`, 400, "malformed", "/given"},
		{"pairs", "score", `{"given":"r1","pairs":[]}`, 400, "malformed", "/given"},
		{"pairs", "score", `{"given":"r1","ids":[]}`, 400, "malformed", "/ids"},
		{"pairs", "explain", `{"given":"r1"}`, 400, "malformed", "/given"},
		{"pairs", "explain", `{"pairs":[["r1","c1"],["r2","c1"]],"compare":[[0,1]]}`, 400, "malformed", "/compare/0"},
	} {
		p := send(s, "POST", "/v1/models/"+c.model+"/"+c.verb, c.body).problem(t, c.status, c.code)
		pointer := ""
		if len(p.Errors) > 0 {
			pointer = p.Errors[0].Pointer
		}
		if pointer != c.pointer || p.Detail == "" || len(p.Detail) > 400 {
			t.Errorf("%.60s: %+v, want pointer %q", c.body, p, c.pointer)
		}
	}
}

// A fault of the request around the body is a problem, too.
func TestProblemsOfRequests(t *testing.T) {
	s := made(t, Options{Models: allKinds(t), MaxBody: 1000})
	body := `{"rows":[[1,2,3]]}`
	send(s, "POST", "/v1/models/liner/score", body).problem(t, 404, "unknown-model")
	if p := send(s, "GET", "/v1/models/liner", "").problem(t, 404,
		"unknown-model"); !strings.Contains(p.Hint, "linear") {
		t.Errorf("hint %q", p.Hint)
	}
	send(s, "GET", "/nowhere", "").problem(t, 404, "unknown-path")
	r := send(s, "GET", "/v1/models/linear/score", "")
	if r.problem(t, 405, "wrong-method"); r.header.Get("Allow") != "POST" {
		t.Errorf("allowed %q", r.header.Get("Allow"))
	}
	send(s, "DELETE", "/v1/models", "").problem(t, 405, "wrong-method")
	send(s, "POST", "/v1/models/linear/score", strings.Repeat(" ", 1001)).problem(t, 413, "too-large")
	send(s, "POST", "/v1/models/linear/score", body, "Content-Encoding", "gzip").problem(t, 415, "encoded")
	send(s, "POST", "/-/reload", "", "Sec-Fetch-Site", "cross-site").problem(t, 403, "cross-origin")
	if r := send(s, "POST", "/v1/models/linear/score", body, requestID,
		"given-by.client_1"); r.header.Get(requestID) != "given-by.client_1" {
		t.Errorf("id %q", r.header.Get(requestID))
	}
	for _, wild := range []string{"a b", strings.Repeat("x", 129), "é", "a\"b"} {
		if got := send(s, "GET", "/healthz", "", requestID, wild).header.Get(requestID); got == wild || !saneID(got) {
			t.Errorf("id %q of %q", got, wild)
		}
	}
	if r := send(s, "HEAD", "/healthz", ""); r.status != 200 {
		t.Errorf("HEAD: %d", r.status)
	}
}

// A model of many features makes no more numbers of a short body than a long one has.
func TestMissingValuesAreBounded(t *testing.T) {
	dir := t.TempDir()
	m := linear(1, 5000, 1, nil)
	s := made(t, Options{Models: []Source{saved(t, dir, "sparse", m)}, MaxBody: 100_000, Missing: "zero"})
	var got scored
	send(s, "POST", "/v1/models/sparse/score", `{"rows":[`+strings.Repeat(`{"7":1},`, 999)+`{}]}`).into(t, 200, &got)
	if len(got.Scores) != 1000 || got.Scores[0] != wanted(t, Source{File: dir + "/sparse.model"},
		[][]float64{{0, 0, 0, 0, 0, 0, 1}})[0] || got.Scores[999] != 0 {
		t.Errorf("%v …", got.Scores[:2])
	}
	moving := linear(1, 5000, 1, nil)
	moving.Normalizer = shifting(5000)
	s = made(t, Options{Models: []Source{saved(t, dir, "dense", moving)}, MaxBody: 100_000, Missing: "zero"})
	send(s, "POST", "/v1/models/dense/score", `{"rows":[`+strings.Repeat(`{"7":1},`, 999)+`{}]}`).problem(t, 413,
		"too-many-values")
	send(s, "POST", "/v1/models/dense/score", `{"rows":[{"7":1},{}]}`).into(t, 200, &got)
}

// FuzzRequest sends any body to every verb: the answer is JSON and no fault.
func FuzzRequest(f *testing.F) {
	sources := allKinds(f)
	s := made(f, Options{Models: sources, MaxRows: 50})
	verbs := []string{"score", "rank", "explain"}
	for k, body := range []string{
		`{"rows":[[1,2,3]]}`, `{"rows":[{"a":1,"b":2,"c":3}],"ids":["x"],"top":1}`,
		`{"rows":[{"1":1e308}],"missing":"zero","extra_features":"ignore"}`,
		`{"pairs":[["r1","c1"],["r1","c2"]],"compare":[[0,1]]}`, `{"given":"r1","top":1}`,
		`{"rows":[[1,2],[null,3,4,5]],"missing":"zero","compare":[[0,1]]}`,
		`{"rows":[[1,2,3`, `{"rows":[[1e999,-0,1E+2]]}`,
	} {
		f.Add(byte(k), byte(k), []byte(body))
	}
	f.Fuzz(func(t *testing.T, which, verb byte, body []byte) {
		path := fmt.Sprintf("/v1/models/%s/%s", sources[int(which)%len(sources)].Name, verbs[int(verb)%len(verbs)])
		r := send(s, "POST", path, string(body))
		if !slices.Contains([]int{http.StatusOK, http.StatusBadRequest, http.StatusRequestEntityTooLarge,
			http.StatusUnprocessableEntity}, r.status) || !json.Valid(r.text) {
			t.Fatalf("%s of %q: %d %s", path, body, r.status, r.text)
		}
	})
}
