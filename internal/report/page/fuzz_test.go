package page

import (
	"bytes"
	"io"
	"testing"

	"pairrank/internal/report"
)

// FuzzPage reads documents that others may have written, and makes pages of them. Every document that is read
// has a complete page.
func FuzzPage(f *testing.F) {
	for _, seed := range []string{
		`{"method":"lqo","results":[{"lambda":1,"error":0.2,"stderr":null,"pairs":9},{"lambda":-2,"error":1e300}],` +
			`"best":{"lambda":1,"ci95":[0,2]},"interval":{},"roc":{"points":[{}],"ci95":[1,2]},` +
			`"learning_curve":{"of":"row","points":[{"units":3,"error":0.1}]},"seconds":{"load":1}}`,
		`{"method":"lqo","importance":{"lambda":-1,"value":null,"left":-3,"features":[{"feature":-2,"worse":1e308,` +
			`"stderr":1e308,"again":{}},{"worse":null,"size":1e999},{"again":null}]},"seconds":{}}`,
		`{"formula":"x","selection":[{"rounds":3,"error":0.1}],"rounds":3,"kernels":[],"outputs":[{"output":1}],` +
			`"metric":"map","seconds":{"train":-1}}`,
		`{"style":"default","comparisons":[{"metric":"map","difference":0.1,"ci95":[0,null]},{"metric":"tau-b"}],` +
			`"per_query":[{"query":"a","a":[1],"b":[]},{"query":"b","a":[0.5],"b":[0.25]}]}`,
		`{"style":"default","standings":[{"metric":"map","rankings":[{"ranking":"A","letters":"a b"}]},` +
			`{"metric":"ndcg"}],"pairs":[{"a":"A","comparisons":[{"metric":"map"}]},{}]}`,
		`{"style":"trec","metrics":{"map":{"mean":0.5}},"per_query":[{"query":"a","values":{"map":1}},` +
			`{"query":"b","values":{"map":null}}]}`,
		`{"row_kernel":"linear","results":[{"lambda":1,"error":0.5,"metrics":{"map":1}},{"lambda":2}],` +
			`"best":{"lambda":2}}`,
		`{"learner":"x","features":3,"weights":[{"feature":1,"weights":[-1e308]},{"feature":2,"weights":[1e308]}],` +
			`"lambda":0}`,
		`{"learner":"x","features":3,"stumps":{"features":[{}]}}`, `{"given":"x","columns":[{"id":"a","score":null}]}`,
		`{"kind":"edge-training","results":[{"lambda":1},{}],"best":{"lambda":1,"drawn":3},"also":["map"]}`,
		`{"kind":"edge-estimate","folds":{},"interval":{}}`,
		`{"kind":"explanation","explained":[{"of":[{},{}],"scores":[1]}]}`,
		`{"kind":"training","outputs":[{"selection":[{"chosen":true}]},{}],"converged":true}`,
		`{"kind":"estimate","metric":"map","best":{},"results":[{"kernel":"a","chosen":true},{"kernel":"b",` +
			`"chosen":true}],"outputs":[]}`,
		`{"kind":"inspection","fact_order":["a"],"pairwise":{}}`, `{"kind":"calibration","bins":[{"lo":1}]}`,
		`{"kind":"node-scores","rows":["a"],"cols":["b"],"scores":[]}`, `{"kind":"check","problems":[{}],"errors":2}`,
		`{"kind":"comparisons","standings":[{}],"pairs":[{}]}`, `{"kind":"edge-check"}`,
		`{"kind":"summing","files":[{}]}`, `{"kind":"build"}`, `{"kind":"leaderboard","items":[{}]}`,
		`{"kind":"scores","items":[{},{"gap":{}}],"against":"x","more_units":[{}],"gates":[{}],"top":1,"missing":1}`,
		`{"kind":"leaderboard","items":[{"score":1e308,"lo":-1e308,"hi":1e308,"rank_lo":1},{"score":null}],"top":2,` +
			`"variance":"x","covariates":[{}],"held_out":{"undetermined":1},"next":[{}],"comparisons":1e300,"components":2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := report.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		if _, err := viewOf(d); err == nil {
			if page := parse(t, render(t, d)); len(page.all("script")) > 0 {
				t.Error("the page has a script")
			}
		}
		_ = d.View().WriteText(io.Discard) // may return an error about a name, but must not panic
	})
}
