package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/option"
)

// besides are options without which a value of another one is not taken, by the option, or by the option and the value.
var besides = map[string]string{
	"solver=sparse": "--basis 4", "solver=cg": "--method kfold:3", "cost": "--learner rankrls", "kernel": "--lambda 1",
	"search": "--features 1", "criterion": "--features 1", "loss=hinge": "--learner ranksvm",
	"loss=squared-hinge": "--learner ranksvm", "counter": "--learner ranksvm", "ties": "--loss logistic",
	"outcome-is": "--outcome len", "missing": "--items items.csv", "intervals=jackknife": "--annotator who",
	"psd-fix": "--row-kernel precomputed --rows similar.tsv", "extra-features": "--model linear.model",
	"learner=ranksvm": "--lambda 0.1", "setting=both": "--loss regression", "figure=metric": "--metric disagreement",
	"style=letor3": "--binarize 2 -m ndcg", "style=letor4": "--binarize 2 -m ndcg", "style=trec": "--binarize 0 -m ndcg",
	"style=mslr": "--binarize 0 -m ndcg", "figure=learning": "--learning-curve", "figure=importance": "--importance=1",
	"format=npy": "--label-column 1",
}

// notTaken are values that a help offers all the same, and why.
var notTaken = map[string]string{
	"evaluate --format=npy": "an .npy file has no labels, as its error says", "compare --format=npy": "as for evaluate",
	"report --format=npy": "as for evaluate", "relation cv --solver=primal": "the help says that it is for train",
	"relation cv --learner=similarity": "the help says that it is for train",
}

// valueLines are commands that values need beside those of the corpus. EXT is the end of a file of the format that is
// tried, and EXAMPLES the folder of the examples.
const valueLines = `
train as.EXT -o out/m --lambda 1
train comma.csv -o out/m --lambda 1
cv as.EXT --lambda 1 --interval none
cv comma.csv --lambda 1 --interval none
check as.EXT
check comma.csv
predict csv.model as.EXT
predict csv.model comma.csv
evaluate as.EXT --model csv.model
evaluate comma.csv --model csv.model
evaluate timed.csv --scores list.scores --time months --event died
compare as.EXT --model csv.model --scores queries.scores -m concordance
compare comma.csv --model csv.model --scores queries.scores -m concordance
compare timed.csv --scores list.scores --scores late.scores --time months --event died
report csv.model as.EXT -o out/page
report csv.model comma.csv -o out/page
explain csv.model as.EXT
explain csv.model comma.csv
convert as.EXT out/rows.txt
convert comma.csv out/rows.txt
import liblinear.dat
import ranklib.dat
stream train sorted.EXT -o out/m --lambda 1
stream stats sorted.EXT -o out/units
stream train comma-sorted.csv -o out/m --lambda 1
stream stats comma-sorted.csv -o out/units
stream update heavy.model more.EXT -o out/m
stream update heavy.model comma-more.csv -o out/m
relation train similar.tsv --rows nodes.tsv -o out/m --lambda 1
relation cv similar.tsv --rows nodes.tsv --lambda 1
relation cv square.tsv --rows nodes.tsv
relation cv some.tsv --rows nodes.tsv --cols cols.tsv --lambda 1 --method kfold:3
relation cv EXAMPLES/drugs/edges.tsv --rows EXAMPLES/drugs/drugs.tsv --cols EXAMPLES/drugs/targets.tsv --setting rows
relation check similar.tsv --rows nodes.tsv
relation evaluate edges.tsv --model edges.model --rows nodes.tsv --cols cols.tsv
relation evaluate edges.tsv --model edges.model --rows nodes.tsv --cols cols.tsv -m concordance
relation evaluate similar.tsv --model square.model --rows nodes.tsv
`

// valueFiles writes the files of these commands.
const valueFiles = `
convert rows.csv as.csv
convert rows.csv as.tsv
convert rows.csv as.parquet
convert rows.csv as.npz
convert rows.csv as.npy
convert rows.csv as.jsonl
convert rows.csv as.txt
convert more.csv more.tsv
convert more.csv more.parquet
convert sorted.csv sorted.tsv
convert sorted.csv sorted.parquet
convert sorted.csv sorted.npz
convert sorted.csv sorted.npy
convert sorted.csv sorted.jsonl
export linear.model --to liblinear -o liblinear.dat
export boost.model --to ranklib -o ranklib.dat
`

// moreLines writes the files and returns the commands by verb.
func moreLines(t *testing.T, examples string) commands {
	for line := range strings.Lines(strings.TrimSpace(valueFiles)) {
		if o := outcomeOf(t, strings.Fields(line)); o.code != cli.ExitOK {
			t.Fatalf("%s: %s", line, o.stderr)
		}
	}
	files := corpusFiles()
	commas := strings.NewReplacer(",", ";", ".", ",")
	for name, text := range map[string]string{
		"comma.csv": commas.Replace(files["rows.csv"]), "comma-sorted.csv": commas.Replace(files["sorted.csv"]),
		"comma-more.csv": commas.Replace(files["more.csv"]), "late.scores": strings.Repeat("1\n2\n", 6),
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := commands{}
	for line := range strings.Lines(strings.TrimSpace(strings.ReplaceAll(valueLines, "EXAMPLES", examples))) {
		args := strings.Fields(line)
		verb := args[0]
		if verb == "relation" || verb == "stream" {
			verb += " " + args[1]
		}
		out[verb] = append(out[verb], command{args: args})
	}
	return out
}

// Every value that the help of a verb offers, of every option with a list of values, is one that the verb takes with
// some data, and so are the default of every option and the names of figures.
func TestOfferedValuesAreTaken(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand runs of the program")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	corpus, cells := makeCorpus(t), 0
	extra := moreLines(t, examples)
	for _, cmd := range allVerbs(newTestRoot(t)) {
		verb := cli.VerbOf(cmd)
		_, plain := option.KindOf(verb)
		lines := slices.DeleteFunc(slices.Concat(extra[verb], corpus[verb]), func(c command) bool {
			return verb == "serve" && !slices.Contains(c.args, "--check") // which serves until it is stopped
		})
		if verb == "relation predict" || verb == "relation explain" {
			for _, c := range corpus[plain] { // predict and explain by the plain verb
				lines = append(lines, command{c.name, append(strings.Fields(verb), c.args[1:]...), c.code})
			}
		}
		for _, o := range option.Of(verb) {
			values := slices.Concat(o.Names, o.Figures())
			if o.Default != "" && o.Names == nil {
				values = append(values, o.Default)
			}
			for _, value := range values {
				cells++
				given := "--" + o.Name + "=" + value
				if slices.Contains(o.Figures(), value) {
					given += "=out/figure.svg"
				}
				said := taken(t, lines, o.Name, value, given)
				if reason := notTaken[verb+" "+given]; (said != "") != (reason != "") {
					t.Errorf("no command of %s takes %s: %s", verb, given, said)
				}
			}
		}
	}
	t.Logf("%d values", cells)
}

// taken runs commands with an option until one ends well, and returns what they said where none does.
func taken(t *testing.T, lines []command, name, value, given string) string {
	var said []string
	end := cmp.Or(map[string]string{"svmlight": "txt", "auto": "csv"}[value], value)
	for _, c := range lines {
		args := without(c.args, "--"+name)
		for _, more := range []string{"", besides[name], besides[name+"="+value]} {
			full := strings.Fields(strings.ReplaceAll(strings.Join(args, " "), "EXT", end))
			for _, flag := range strings.Fields(more) {
				if strings.HasPrefix(flag, "--") {
					full = without(full, flag)
				}
			}
			full = slices.Concat(full, strings.Fields(more), []string{given})
			got := outcomeOf(t, full)
			if got.code == cli.ExitOK {
				return ""
			}
			said = append(said, fmt.Sprintf("%v: %s", full, got.stderr))
		}
	}
	return strings.Join(said, "")
}

// without are arguments without an option and its value.
func without(args []string, flag string) []string {
	at := slices.Index(args, flag)
	if at < 0 {
		return args
	}
	end := at + 1
	if end < len(args) && !strings.HasPrefix(args[end], "--") {
		end++
	}
	return slices.Concat(args[:at], args[end:])
}
