package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// timedRows are a table of strata with times, events and features, whose lines are those from..to-1, and the same rows
// as SVMlight text.
func timedRows(from, to int) (table, text string) {
	var rows, lines strings.Builder
	rows.WriteString("qid,time,event,a,b,c\n")
	r := rand.New(rand.NewPCG(44, 12))
	for q := range to {
		for range 1 + r.IntN(9) {
			a, b, c := r.IntN(9)-4, r.IntN(5), r.IntN(100)
			time, event := float64(max(0, 2*a+b+r.IntN(6)))/4, r.IntN(3)/2^1
			if q < from {
				continue
			}
			fmt.Fprintf(&rows, "s%d,%v,%d,%d,%d,%d\n", q, time, event, a, b, c)
			fmt.Fprintf(&lines, "%s%v qid:s%d 1:%d 2:%d 3:%d\n", []string{"-", ""}[event], time, q, a, b, c)
		}
	}
	return rows.String(), lines.String()
}

// fitted is a model file from its weights or stumps on.
func fitted(t *testing.T, path string) string {
	t.Helper()
	text := string(contentOf(t, path))
	for _, part := range []string{"\nweights\n", "\nstumps ", "\nsupport "} {
		if _, of, is := strings.Cut(text, part); is {
			body, _, _ := strings.Cut(of, "\nchecksum")
			return body
		}
	}
	t.Fatalf("%s: %s", path, text)
	return ""
}

// Censored times of every format make the same model, to the byte where columns have the same names.
func TestTimesGiveOneModel(t *testing.T) {
	t.Chdir(t.TempDir())
	table, text := timedRows(0, 25)
	put(t, "a.csv", table)
	put(t, "a.txt", text)
	for _, to := range []string{"a.jsonl", "a.json", "a.parquet", "a.npz"} {
		must(t, strings.Fields("convert a.csv "+to+" --time time --event event")...)
	}
	for _, learner := range []string{"rankrls", "rankrls --cost unit --censoring-weights", "ranksvm",
		"ranksvm --loss squared-hinge --query-weight edges", "ranksvm --kernel gaussian:gamma=0.1", "rankboost --rounds 15",
		"rankboost --rounds 5,15 --query-weight size --select kfold:3"} {
		whole := ""
		for _, data := range []string{"a.csv --time time --event event", "a.jsonl --time time --event event",
			"a.json --time time --event event", "a.parquet --time time --event event", "a.npz --time time --event event",
			"a.txt --censored negative"} {
			args := "train " + data + " -o m.txt --learner " + learner
			if !strings.Contains(learner, "rounds") {
				args += " --lambda 0.25"
			}
			must(t, strings.Fields(args)...)
			got := string(contentOf(t, "m.txt"))
			if !strings.Contains(got, "fact labels censored times: the score grows with the time") {
				t.Errorf("%s: %s", args, got)
			}
			if strings.Contains(data, "a.csv") {
				whole = got
				put(t, "want.txt", whole)
			}
			if same := strings.Contains(data, "a.txt") || strings.Contains(data, "a.npz"); !same && got != whole ||
				fitted(t, "m.txt") != fitted(t, "want.txt") {
				t.Errorf("%s: %s\nwant\n%s", args, got, whole)
			}
		}
	}
}

// Sums of censored times by stratum: tables, text and units give one model, which is that of memory up to rounding;
// adding and forgetting strata gives that of the others.
func TestStreamsOfTimes(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, of := range map[string][2]int{"a": {0, 25}, "b": {25, 40}, "all": {0, 40}} {
		table, text := timedRows(of[0], of[1])
		put(t, name+".csv", table)
		put(t, name+".txt", text)
		must(t, strings.Fields("convert "+name+".csv "+name+".parquet --time time --event event")...)
	}
	const columns = " --time time --event event"
	for _, o := range []string{"", " --cost unit --query-weight edges --censoring-weights", " --normalize query-minmax"} {
		const one = " --lambda 0.5"
		must(t, strings.Fields("stream train all.txt -o all.model --keep-moments --keep-query-sums --censored negative"+
			o+one)...)
		want := fitted(t, "all.model")
		for _, args := range []string{"all.csv" + columns, "all.parquet" + columns, "a.txt b.txt --censored negative"} {
			must(t, strings.Fields("stream train -o m.model "+args+o+one)...)
			if got := fitted(t, "m.model"); weightsApart(t, got, want) > 1e-12 {
				t.Errorf("%s%s: %s, want %s", args, o, got, want)
			}
		}
		must(t, strings.Fields("train all.csv -o m.model"+columns+o+one)...)
		if got := fitted(t, "m.model"); weightsApart(t, got, want) > 1e-10 {
			t.Errorf("%s: in memory %s, want %s", o, got, want)
		}
		units := "units" + strings.ReplaceAll(strings.ReplaceAll(o, " ", ""), "--", "-")
		must(t, strings.Fields("stream stats a.txt b.txt --censored negative --select none -o "+units+o)...)
		must(t, strings.Fields("stream merge -o m.model "+units+one)...)
		if got := fitted(t, "m.model"); weightsApart(t, got, want) > 1e-12 {
			t.Errorf("units%s: %s, want %s", o, got, want)
		}
		must(t, strings.Fields("stream train a.txt -o m.model --keep-moments --censored negative"+o+one)...)
		first := fitted(t, "m.model")
		for _, b := range []string{"b.txt", "b.csv" + columns, "b.parquet" + columns} {
			must(t, strings.Fields("stream update m.model -o n.model "+b)...)
			if got := fitted(t, "n.model"); weightsApart(t, got, want) > 1e-12 {
				t.Errorf("added %s%s: %s, want %s", b, o, got, want)
			}
			must(t, strings.Fields("stream update n.model --forget -o n.model "+b)...)
			if got := fitted(t, "n.model"); weightsApart(t, got, first) > 1e-12 {
				t.Errorf("forgot %s%s: %s, want %s", b, o, got, first)
			}
		}
		forget := "stream update all.model -o n.model"
		for q := 25; q < 40; q++ {
			forget += fmt.Sprint(" --forget-qid s", q)
		}
		must(t, strings.Fields(forget)...)
		if got := fitted(t, "n.model"); weightsApart(t, got, first) > 1e-12 {
			t.Errorf("forgot by name%s: %s, want %s", o, got, first)
		}
	}
}

// weightsApart is the largest difference of the weights of two models, relative to the largest one.
func weightsApart(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) {
		t.Fatalf("%d weights, want %d", len(x), len(y))
	}
	apart, most := 0.0, 0.0
	for k := range x {
		var v, w float64
		if _, err := fmt.Sscan(x[k]+" "+y[k], &v, &w); err != nil {
			t.Fatal(err)
		}
		apart, most = max(apart, v-w, w-v), max(most, w, -w)
	}
	return apart / most
}

// What sums of times, importance and selections cannot do is an error that says so.
func TestTimesThatDoNotSum(t *testing.T) {
	t.Chdir(t.TempDir())
	table, text := timedRows(0, 12)
	put(t, "a.csv", table)
	put(t, "a.txt", text)
	put(t, "more.txt", "1 qid:z 1:1\n2 qid:z 1:3\n")
	put(t, "more.csv", "qid,label,a,b,c\nz,1,1,2,3\nz,2,3,2,1\n")
	put(t, "last.txt", "-1 qid:1 1:2\n2 qid:1 1:1\n-3 qid:2 1:2\n3 qid:3 1:4\n3 qid:3 1:5\n")
	put(t, "list.txt", "1 1:2\n-2 1:1\n3 1:2\n")
	must(t, strings.Fields("stream train a.txt --censored negative --lambda 1 --keep-moments -o times.model")...)
	must(t, strings.Fields("stream train more.txt --lambda 1 --keep-moments -o labels.model")...)
	const columns = " --time time --event event"
	for _, c := range []struct{ args, want string }{
		{"stream train a.csv -o m --positive 1" + columns, "--positive is not for rows that are read once"},
		{"stream train a.csv -o m --censored negative", "--censored negative is for SVMlight text"},
		{"stream train a.txt -o m" + columns, "--time is for tables"},
		{"stream train a.csv -o m --binarize 2" + columns, "--time and --binarize"},
		{"stream train a.csv -o m --learner rls" + columns, "only a bound is known"},
		{"stream train a.csv -o m --cost relative" + columns, "infinite"},
		{"stream train a.txt -o m --ties include --censored negative", "tied times are not comparable"},
		{"stream train a.txt -o m --censoring-weights", "needs --time or --censored"},
		{"stream stats a.txt -o units --censoring-weights", "--censoring-weights needs"},
		{"stream train last.txt -o m --censored negative", "no two compared rows have different times"},
		{"stream train list.txt -o m --censored negative", "row without a qid"},
		{"stream update times.model more.csv -o n", "the rows have labels, and the sums are of censored times"},
		{"stream update labels.model a.csv -o n" + columns, "the rows have censored times, and the sums are of labels"},
		{"stream update times.model a.csv -o n --time time", "--time needs --event"},
		{"train a.csv -o m --features 2" + columns, "features are selected by labels"},
	} {
		var out strings.Builder
		err := run(t.Context(), strings.Fields(c.args), nil, io.Discard, &out)
		if text := fmt.Sprint(err, out.String()); err == nil || !strings.Contains(text, c.want) {
			t.Errorf("%s: %s, want %s", c.args, text, c.want)
		}
	}
	for _, learner := range []string{"rankrls", "ranksvm", "rankboost --rounds 5"} {
		args := "cv a.csv --importance --learner " + learner + columns
		if out := must(t, strings.Fields(args)...); !strings.Contains(out, "importance") {
			t.Errorf("%s: %s", args, out)
		}
		must(t, strings.Fields("train a.csv -o m --learner "+learner+columns)...)
		out := must(t, strings.Fields("explain m a.csv")...)
		if !strings.Contains(out, "a") || strings.Contains(out, "time") {
			t.Errorf("explain %s: %s", learner, out)
		}
	}
}

// A model that learnt times is measured by them, whether or not flags name their columns.
func TestModelsOfTimesAreMeasuredByThem(t *testing.T) {
	t.Chdir(t.TempDir())
	table, _ := timedRows(0, 25)
	put(t, "a.csv", table)
	for k, lambda := range []string{"1", "1000"} {
		must(t, strings.Fields(fmt.Sprintf("train a.csv --time time --event event --lambda %s -o m%d", lambda, k))...)
	}
	const named = " --time time --event event"
	for _, line := range []string{"evaluate a.csv --model m0 --json", "evaluate a.csv --model m0 --model m1 --json",
		"compare a.csv --model m0 --model m1 --json"} {
		bare := must(t, strings.Fields(line)...)
		if !strings.Contains(bare, `"uno-c"`) || bare != must(t, strings.Fields(line+named)...) {
			t.Errorf("%s: flags that name times change the document, or it lacks their measures:\n%s", line, bare)
		}
	}
	must(t, strings.Fields("report m0 a.csv -o page.html")...)
	if page := string(contentOf(t, "page.html")); !strings.Contains(page, "uno-c") {
		t.Error("the page of a model of times has no uno-c")
	}
	code, _, errs := program(t, strings.Fields("compare a.csv a.csv --model m0 --model m0 --model m1 --model m1")...)
	if code != 2 || !strings.Contains(errs, "one DATA") {
		t.Errorf("two DATA: exit code %d, %s", code, errs)
	}
	code, _, errs = program(t, strings.Fields("report m0 a.csv --baseline m1 -o page.html")...)
	if code != 2 || !strings.Contains(errs, "--baseline") {
		t.Errorf("a baseline: exit code %d, %s", code, errs)
	}
}
