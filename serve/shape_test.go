package serve

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"pairrank/data"
)

// A reload does not take a model that today's requests do not fit, or mean something else to.
func TestReloadKeepsTheShape(t *testing.T) {
	dir := t.TempDir()
	names := []string{"a", "b", "c"}
	wide := pairs()
	wide.Rows.ID[2] = "r4" // nodes may come and go
	for _, c := range []struct {
		before, after interface{ WriteFile(string) error }
		want          string // "" where the model is taken
	}{
		{linear(1, 3, 1, names), linear(2, 3, 1, names), ""},
		{linear(1, 3, 1, nil), gaussian(4, 3), ""},
		{linear(1, 3, 1, names), stumps(), ""},
		{pairs(), wide, ""},
		{linear(1, 3, 1, nil), linear(1, 4, 1, nil), "takes rows of 4 numbers, but the serving one of 3"},
		{linear(1, 3, 1, nil), linear(1, 2, 1, nil), "takes rows of 2 numbers"},
		{linear(1, 3, 2, nil), linear(1, 3, 1, nil), "has 1 outputs, but the serving one 2"},
		{linear(1, 3, 1, nil), pairs(), "scores pairs of nodes, but the serving one rows of features"},
		{pairs(), linear(1, 3, 1, nil), "scores rows of features, but the serving one pairs of nodes"},
		{linear(1, 4, 1, nil), precomputed(), "scores rows of kernel values"},
		{linear(1, 3, 1, names), linear(1, 3, 1, nil), "has no names of features, but the serving one names"},
		{linear(1, 3, 1, nil), linear(1, 3, 1, names), "has names of features, but the serving one no names"},
		{linear(1, 3, 1, names), linear(1, 3, 1, []string{"a", "c", "b"}),
			`has "c" as feature 2, but the serving one "b"`},
	} {
		var log bytes.Buffer
		src := saved(t, dir, "m", c.before)
		strict := made(t, Options{Models: []Source{src}, Log: slog.New(slog.NewTextHandler(&log, nil))})
		loose := made(t, Options{Models: []Source{src}, Reshape: true})
		version := strict.models["m"].current.Load().version
		saved(t, dir, "m", c.after)
		err := strict.Reload()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(),
			src.File+": the model in the file "+c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
		now := strict.models["m"].current.Load().version
		metrics := string(send(strict, "GET", "/metrics", "").text)
		if refused := c.want != ""; refused {
			p := send(strict, "POST", "/-/reload", "").problem(t, 409, "reload-refused")
			if !strings.Contains(p.Hint, "--reload any") {
				t.Errorf("hint %q", p.Hint)
			}
			var ready state
			send(strict, "GET", "/readyz", "").into(t, 200, &ready)
			if now != version || ready.Models[0].Failure == nil || !strings.Contains(log.String(), "reload refused") ||
				!strings.Contains(metrics, `pairrank_model_reloads_total{model="m",result="changed"} 1`) ||
				!strings.Contains(metrics, `pairrank_model_last_reload_successful{model="m"} 0`) {
				t.Errorf("%s: version %s was %s, %+v, log %s", c.want, now, version, ready, &log)
			}
		} else if now == version || !strings.Contains(metrics, `pairrank_model_last_reload_successful{model="m"} 1`) {
			t.Errorf("the model was not taken: %v", err)
		}
		if err := loose.Reload(); err != nil || loose.models["m"].current.Load().version == version {
			t.Errorf("a reload of any model: %v", err)
		}
	}
}

// The values of features that are not as training had them are counted.
func TestSeenFeaturesAreCounted(t *testing.T) {
	dir := t.TempDir()
	scaled := func(kind string, seed uint64) Source {
		m := linear(seed, 3, 1, []string{"a", "b", "c"})
		m.Info.Rows = 17
		m.Normalizer = &data.Normalizer{Kind: kind, Shift: []float64{1, 0, -2}, Scale: []float64{0.5, 0, 4}}
		return saved(t, dir, kind, m)
	}
	for _, c := range []struct {
		kind, rows                string
		missing, unknown, outside int
	}{
		{"minmax", `[[1,9,-2],[3,-9,-1.75],[3.0000000001,0,-2]]`, 0, 0, 0},
		{"minmax", `[[0.9,0,-2.1],[3.1,0,-1.7]]`, 0, 0, 4},
		{"zscore", `[[9,0,-1],[-7,0,-3]]`, 0, 0, 0},
		{"zscore", `[[9.1,0,-0.9],[-7.1,0,-3.1]]`, 0, 0, 4},
		{"minmax", `[[1,9],[2],[1,2,-2,5,6]]`, 3, 2, 0},
		{"minmax", `[[1,9,null],{"a":1,"b":null,"d":3},{"c":-3,"a":1,"b":1}]`, 3, 1, 1},
	} {
		s := made(t, Options{Models: []Source{scaled(c.kind, 1)}, Missing: "zero", Ignore: true})
		if r := send(s, "POST", "/v1/models/"+c.kind+"/score", `{"rows":`+c.rows+`}`); r.status != 200 {
			t.Fatalf("%s", r.text)
		}
		metrics := string(send(s, "GET", "/metrics", "").text)
		for name, want := range map[string]int{"missing": c.missing, "unknown": c.unknown, "out_of_range": c.outside} {
			if line := fmt.Sprintf("\npairrank_features_%s_total{model=%q} %d\n", name, c.kind,
				want); !strings.Contains(metrics, line) {
				t.Errorf("%s of %s: no line%s", c.rows, c.kind, line)
			}
		}
		if rows := strings.Count(metrics, fmt.Sprintf("\npairrank_rows_scored_total{model=%q} ", c.kind)); rows != 1 {
			t.Errorf("%d lines of rows", rows)
		}
	}
}

// Names, units and helps of the metrics are as Prometheus wants them.
func TestMetricsFollowConventions(t *testing.T) {
	s := made(t, Options{Models: allKinds(t)})
	send(s, "POST", "/v1/models/linear/score", `{"rows":[[1,2,3]]}`)
	text := send(s, "GET", "/metrics", "").text
	problems, err := promlint.New(bytes.NewReader(text)).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if name, is := strings.CutPrefix(line, "# HELP pairrank_"); is && !strings.HasSuffix(name, ".") {
			t.Errorf("the help is no sentence: %s", line)
		}
	}
}
