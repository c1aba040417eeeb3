package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// describeScores shows a table of scores in one line.
func describeScores(t *ScoreTable) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", strings.Join(t.Systems, " "))
	for i, item := range t.Items {
		fmt.Fprintf(&b, " %s", item)
		if t.Units != nil {
			fmt.Fprintf(&b, "@%d", t.Units[i])
		}
		fmt.Fprintf(&b, " %v;", t.Y.Row(i))
	}
	if t.Repeated > 0 {
		fmt.Fprintf(&b, " %d repeated %.4g", t.Repeated, t.Repeats)
	}
	if t.Empty > 0 {
		fmt.Fprintf(&b, " %d empty", t.Empty)
	}
	return b.String()
}

func TestReadScoreTable(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          ScoreTableOptions
		want, err  string
	}{
		{name: "long", text: "model,task,score\na,x,1\nb,x,0.5\na,y,2\n", want: "a b: x [1 0.5]; y [2 NaN];"},
		{name: "empty scores", text: "model\ttask\tscore\na\tx\t1\na\ty\tNA\nb\ty\t\n",
			want: "a b: x [1 NaN]; y [NaN NaN]; 2 empty"},
		{name: "truths", text: "system,query,value\na,1,true\nb,1,False\n", want: "a b: 1 [1 0];"},
		{name: "marks", text: "system,query,value\na,1,C\nb,1,I\nb,2,P\na,2,N\n", want: "a b: 1 [1 0]; 2 [0 0.5];"},
		{name: "repeats", text: "model,task,score,seed\na,x,1,1\na,x,3,2\nb,x,2,1\n", want: "a b: x [2 2]; 1 repeated 1"},
		{name: "clusters", text: "model,task,score,cluster\na,x,1,u\nb,x,3,u\nb,y,2,u\na,z,1,v\n",
			want: "a b: x@0 [1 3]; y@0 [NaN 2]; z@1 [1 NaN];"},
		{name: "items of two columns", text: "model,q,turn,score\na,x,1,3\na,x,2,4\n",
			o: ScoreTableOptions{Item: "q,turn", Cluster: []string{"q"}}, want: "a: x/1@0 [3]; x/2@0 [4];"},
		{name: "again", text: "model,task,score\na,x,1\nb,x,1\na,x,2\n",
			err: `t:4:5: system "a" has a second score on item "x", the first in line 2: "2"`},
		{name: "a repeat again", text: "model,task,score,seed\na,x,1,1\na,x,2,1\n",
			err: `t:3:5: system "a" has a second score on item "x" in repeat "1": "2"`},
		{name: "text", text: "model,task,score\na,x,good\n", err: `t:2:5: the score is not a finite number: "good"`},
		{name: "two clusters", text: "model,task,score,cluster\na,x,1,u\nb,x,3,v\n",
			err: `t:3:7: item "x" is of cluster "v" here, and of "u" before: "v"`},
		{name: "no columns", text: "p,q\n1,2\n",
			err: `t:1:1: the columns are no table of scores, which are system, item and score: "p", "q"`},
		{name: "two scores", text: "model,task,score,accuracy\na,x,1,1\n",
			err: `t:1:18: columns 3 and 4 may both be the score: the columns are "model", "task", "score", "accuracy": ` +
				`"accuracy"`},
		{name: "nothing", text: "model,task,score\na,x,\n", err: "t: no scores: no line has one"},
		{name: "no file", err: "t: no scores: the file is empty"},
		{name: "wide", text: "task,a,b,note\nx,1,0.5,p\ny,2,,q\n", o: ScoreTableOptions{Wide: wideSystems},
			want: "a b: x [1 0.5]; y [2 NaN];"},
		{name: "wide by the texts", text: "first,a,b\nx,1,0.5\ny,2,true\n", o: ScoreTableOptions{Wide: wideSystems},
			want: "a b: x [1 0.5]; y [2 1];"},
		{name: "wide of items", text: ",x,y,late\na,1,0.5,\nb,2,,word\n", o: ScoreTableOptions{Wide: wideItems},
			want: "a b: x [1 2]; y [0.5 NaN];"},
		{name: "wide with repeats", text: "task;seed;a;b\nx;1;1;0,5\nx;2;2;1,5\n", o: ScoreTableOptions{Wide: wideSystems},
			want: "a b: x [1.5 1]; 2 repeated 0.25"},
		{name: "wide with clusters", text: "doc,task,a\nu,x,1\nu,y,2\n",
			o: ScoreTableOptions{Wide: wideSystems, Cluster: []string{"doc"}}, want: "a: x@0 [1]; y@0 [2];"},
		{name: "wide with two texts", text: "p,q,a\nx,y,1\n", o: ScoreTableOptions{Wide: wideSystems},
			err: `t:2:1: no column names the items, which is called item, or is the only one of texts: the columns are "p", ` +
				`"q", "a"`},
		{name: "wide with a text", text: "task,a\nx,1\ny,bad\n", o: ScoreTableOptions{Wide: wideSystems},
			err: `t:3:3: the score is not a finite number: "bad"`},
		{name: "wide with a number", text: "task,a,b\nx,1,bad\ny,1,2\n", o: ScoreTableOptions{Wide: wideSystems},
			err: `t:3:5: a number in a column of texts, which is left out: line 2 has one: "2"`},
		{name: "wide twice", text: "task,a,a\nx,1,1\n", o: ScoreTableOptions{Wide: wideSystems},
			err: `t:1:8: columns 2 and 3 have this name: say which one by its number: "a"`},
	} {
		got, err := ReadScoreTableFrom(strings.NewReader(c.text), "t", c.o)
		switch {
		case c.err != "":
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: error %v, want\n%s", c.name, err, c.err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case describeScores(got) != c.want:
			t.Errorf("%s: %s, want %s", c.name, describeScores(got), c.want)
		}
	}
}

// A table is the same in every shape.
func TestScoreTablesOfEveryShape(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	long, systems, items := "model,task,score\n", "task", "model"
	rows := [4]string{"m0", "m1", "m2", "m3"}
	for s := range rows {
		systems += "," + rows[s]
	}
	for i := range 9 {
		items += fmt.Sprintf(",t%d", i)
		systems += fmt.Sprintf("\nt%d", i)
		for s := range rows {
			v := fmt.Sprint(r.NormFloat64())
			if r.IntN(4) == 0 {
				v = ""
			}
			long += fmt.Sprintf("m%d,t%d,%s\n", s, i, v)
			systems += "," + v
			rows[s] += "," + v
		}
	}
	want := ""
	for _, c := range []struct{ text, wide string }{{long, ""}, {systems, wideSystems},
		{items + "\n" + strings.Join(rows[:], "\n"), wideItems}} {
		got, err := ReadScoreTableFrom(strings.NewReader(c.text), "t", ScoreTableOptions{Wide: c.wide})
		if err != nil {
			t.Fatal(err)
		}
		got.Empty = 0
		if text := describeScores(got); want == "" {
			want = text
		} else if text != want {
			t.Errorf("wide %q: %s, want %s", c.wide, text, want)
		}
	}
}

// Several files are one table, or each is a system; errors name the file.
func TestScoreTableOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.csv": "model,task,score\nx,t,1\nx,u,2\n",
		"b.csv": "task,score,model\nt,3,y\n", "c.csv": "task,score\nt,4\n",
		"d.tsv": "task\tscore\tseed\nt\t4\t1\n", "e=f.csv": "task,score\nt,5\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		paths     string
		from      bool
		want, err string
	}{
		{paths: "a.csv b.csv", want: "x y: t [1 3]; u [2 NaN];"},
		{paths: "b.csv c.csv", from: true, want: "b c: t [3 4];"},
		{paths: "z=c.csv e=f.csv z=b.csv", from: true, err: `b.csv:2:3: system "z" has a second score on item "t", the ` +
			`first in line 2 of c.csv: "3"`},
		{paths: "z=c.csv e=f.csv", from: true, want: "z e=f: t [4 5];"},
		{paths: "a.csv a.csv", err: `a.csv:2:5: system "x" has a second score on item "t", the first in line 2 of ` +
			`a.csv: "1"`},
		{paths: "c.csv d.tsv", from: true, err: "d.tsv: one of the files has a column of repeats, and another has none"},
		{paths: "c.csv c.csv", from: true, err: `two files are system "c": NAME=FILE gives one another name`},
		{paths: "a.csv nowhere.csv", err: "open nowhere.csv: no such file or directory"},
		{err: "there are no files of scores"},
	} {
		got, err := ReadScoreTable(strings.Fields(c.paths), ScoreTableOptions{SystemFromFile: c.from})
		switch {
		case c.err != "":
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: error %v, want %s", c.paths, err, c.err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.paths, err)
		case describeScores(got) != c.want:
			t.Errorf("%s: %s, want %s", c.paths, describeScores(got), c.want)
		}
	}
}

// A table of as many systems and items as lines is refused before it is made.
func TestLargeScoreTable(t *testing.T) {
	var text strings.Builder
	text.WriteString("model,task,score\n")
	for k := range 20_000 {
		fmt.Fprintf(&text, "m%d,t%d,1\n", k, k)
	}
	within(t, 200<<20)
	_, err := ReadScoreTableFrom(strings.NewReader(text.String()), "t", ScoreTableOptions{})
	if err == nil || !strings.Contains(err.Error(), "of memory, and") {
		t.Errorf("a large table: %v", err)
	}
}

// A mean of repeats and its variance are those of all scores together.
func TestRepeatsAreMeans(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	all := map[[2]int][]float64{}
	var text strings.Builder
	text.WriteString("system,item,score,seed\n")
	for seed := range 30 {
		for s := range 3 {
			for i := range 200 {
				if r.IntN(4) > 0 {
					v := r.NormFloat64() + 1e3
					all[[2]int{s, i}] = append(all[[2]int{s, i}], v)
					fmt.Fprintf(&text, "s%d,i%d,%v,%d\n", s, i, v, seed)
				}
			}
		}
	}
	got, err := ReadScoreTableFrom(strings.NewReader(text.String()), "t", ScoreTableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	place := func(names []string, name string) int {
		for k := range names {
			if names[k] == name {
				return k
			}
		}
		return -1
	}
	variance, cells := 0.0, 0
	for cell, ys := range all {
		mean, about := 0.0, 0.0
		for _, y := range ys {
			mean += y / float64(len(ys))
		}
		for _, y := range ys {
			about += (y - mean) * (y - mean)
		}
		y := got.Y.Row(place(got.Items, fmt.Sprintf("i%d", cell[1])))[place(got.Systems, fmt.Sprintf("s%d", cell[0]))]
		if math.Abs(y-mean) > 1e-12*mean {
			t.Fatalf("cell %v is %v, want %v", cell, y, mean)
		}
		if n := float64(len(ys)); n > 1 {
			variance, cells = variance+about/(n-1)/n, cells+1
		}
	}
	if want := variance / float64(cells); got.Repeated != cells || math.Abs(got.Repeats-want) > 1e-10*want {
		t.Errorf("variance %v of %d cells, want %v of %d", got.Repeats, got.Repeated, want, cells)
	}
}

// FuzzScoreTable: no text makes the reader panic, and a table has the shape of its names.
func FuzzScoreTable(f *testing.F) {
	for _, text := range []string{"model,task,score,cluster\na,x,1,u\nb,x,,u\n", "task;a;b;note\nx;1;0,5;p\ny;;2;q\n",
		`{"rows":[{"model":"a","task":"x","score":{"v":"C"}},{"model":"b","task":"x","score":{"v":true}}]}`,
		"model,task,score,seed\na,x,1,1\na,x,2,2\n", `{"samples":[{}]}`, "{\n\"p\": [{}]}", `{"a":{"*":[[{}]]}}`} {
		f.Add(text, "", "", "")
		f.Add(text, "score.v", wideSystems, "rows")
		f.Add(text, "", wideItems, "p.0")
	}
	f.Fuzz(func(t *testing.T, text, score, wide, rows string) {
		s, err := ReadScoreTableFrom(strings.NewReader(text), "t", ScoreTableOptions{Score: score, Wide: wide, Rows: rows})
		if err == nil && (s.Y.Rows != len(s.Items) || s.Y.Cols != len(s.Systems) || len(s.Y.Data) == 0 ||
			s.Units != nil && len(s.Units) != len(s.Items)) {
			t.Fatalf("%q: %d × %d of %q and %q, units %v", text, s.Y.Rows, s.Y.Cols, s.Items, s.Systems, s.Units)
		}
		_, _, _ = ReadBoardFrom(strings.NewReader(text), "t", ComparisonsOptions{Winner: score}, ScoreTableOptions{})
	})
}

func BenchmarkReadScoreTable(b *testing.B) {
	const systems, items = 100, 2_000
	r := rand.New(rand.NewPCG(1, 2))
	texts := map[string]*strings.Builder{"by=system": {}, "by=item": {}}
	line := func(t *strings.Builder, s, i int) {
		fmt.Fprintf(t, "a-model-called-%d,task-%d,%.4f\n", s, i, r.Float64())
	}
	for _, t := range texts {
		t.WriteString("model,task,score\n")
	}
	for s := range systems {
		for i := range items {
			line(texts["by=system"], s, i)
		}
	}
	for i := range items {
		for s := range systems {
			line(texts["by=item"], s, i)
		}
	}
	for name, text := range texts {
		b.Run(fmt.Sprintf("systems=%d/items=%d/%s", systems, items, name), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := ReadScoreTableFrom(strings.NewReader(text.String()), "t", ScoreTableOptions{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(systems*items*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
