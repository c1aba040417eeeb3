package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/metric"
	"pairrank/internal/option"
	"pairrank/internal/spell"
)

// Every synonym leads to a name that the program knows, and is none itself where
// that name stands.
func TestSynonymsLeadToNames(t *testing.T) {
	root := newTestRoot(t)
	kinds := map[string][]string{
		"kernel": {"linear", "gaussian", "polynomial", "precomputed"}, "method": {"lqo", "lpo", "loo", "kfold:K"},
	}
	for _, name := range []string{"learner", "solver", "loss", "normalize", "format"} {
		o := option.Find("train", name)
		kinds[name] = slices.Concat(o.Names, o.EdgeNames)
	}
	for _, name := range metric.Names() {
		kinds["metric"] = append(kinds["metric"], strings.TrimSuffix(strings.TrimSuffix(name, "@K"), "@T"))
	}
	for _, c := range root.Commands() {
		kinds["verb"] = append(kinds["verb"], c.Name())
		c.Flags().VisitAll(func(f *pflag.Flag) {
			kinds["flag of "+c.Name()] = append(kinds["flag of "+c.Name()],
				f.Name)
		})
	}
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { kinds["flag"] = append(kinds["flag"], f.Name) })
	for word, names := range spell.Synonyms() {
		for _, name := range names {
			found := false
			for kind, known := range kinds {
				if !slices.Contains(known, name) {
					continue
				}
				found = true
				if slices.Contains(known, word) {
					t.Errorf("%q is a %s itself, and a synonym of %q", word, kind, name)
				}
			}
			if !found {
				t.Errorf("%q is a synonym of %q, which the program does not know", word, name)
			}
		}
	}
}

// Names of other tools are told what they are called here.
func TestSynonymsInMessages(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{words("train x.txt -o m.txt --kernel rbf"), "did you mean gaussian?"},
		{words("train x.txt -o m.txt --kernel poly:degree=2"), "did you mean polynomial?"},
		{words("train x.txt -o m.txt --learner svmrank"), "did you mean ranksvm?"},
		{words("train x.txt -o m.txt --select leave-one-out"), "did you mean loo?"},
		{words("train x.txt -o m.txt --normalize standard"), "did you mean zscore?"},
		{words("train x.txt -o m.txt --metric ndcg10"), `did you mean "ndcg@10"?`},
		{words("train x.txt -o m.txt --alpha 1"), "did you mean --lambda?"},
		{words("cv x.txt --folds 5"), "did you mean --method?"},
		{words("cv x.txt --n_jobs 5"), "did you mean --threads?"},
		{words("evaluate x.txt --scores y.txt -m average_precision"), `did you mean "map"?`},
		{words("check x.txt --format libsvm"), "did you mean svmlight?"},
		{words("fit x.txt"), "did you mean pairrank train?"},
	} {
		var text strings.Builder
		err := run(t.Context(), c.args, strings.NewReader(""), io.Discard, &text)
		if cli.ExitCode(err) != cli.ExitUsage || !strings.Contains(text.String(), c.want) {
			t.Errorf("%v: exit code %d, %q; want %q", c.args, cli.ExitCode(err), text.String(), c.want)
		}
	}
}

func words(text string) []string { return strings.Fields(text) }
