package spell

import "testing"

func TestNearest(t *testing.T) {
	kernels := []string{"linear", "gaussian", "polynomial", "precomputed"}
	for _, c := range []struct {
		word  string
		known []string
		want  string
	}{
		{"rbf", kernels, "gaussian"},
		{"RBF", kernels, "gaussian"},
		{"poly", kernels, "polynomial"},
		{"gausian", kernels, "gaussian"},
		{"pre", kernels, "precomputed"},
		{"banana", kernels, ""},
		{"l", kernels, ""},
		{"svmrank", []string{"rankrls", "ranksvm"}, "ranksvm"},
		{"svmrank", []string{"svmlight", "csv"}, "svmlight"},
		{"SVM_rank", []string{"rankrls", "ranksvm"}, "ranksvm"},
		{"n_jobs", []string{"threads", "seed"}, "threads"},
		{"folds", []string{"method", "seed"}, "method"},
		{"p", []string{"q", "r"}, ""}, // a change of all that a name has is no misspelling
	} {
		if got := Nearest(c.word, c.known); got != c.want {
			t.Errorf("%q among %v: %q, want %q", c.word, c.known, got, c.want)
		}
	}
}
