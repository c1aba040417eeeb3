package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pairrank/internal/realdata"
)

// describeComparisons shows comparisons in one line.
func describeComparisons(c *Comparisons) string {
	var b strings.Builder
	for _, l := range c.Lines.Rows() {
		fmt.Fprintf(&b, "%s-%s %v:%v:%v", c.Items[l.Left], c.Items[l.Right], l.Wins, l.Losses, l.Ties)
		if l.Weight != 1 || l.Magnitude != 1 {
			fmt.Fprintf(&b, " w%v z%v", l.Weight, l.Magnitude)
		}
		if l.Rest > 0 {
			fmt.Fprintf(&b, " r%v", l.Rest)
		}
		if l.Annotator >= 0 {
			b.WriteString(" by " + c.Annotators[l.Annotator])
		}
		if l.Stratum >= 0 {
			b.WriteString(" in " + c.Strata[l.Stratum])
		}
		if l.Cluster >= 0 {
			b.WriteString(" of " + c.Clusters[l.Cluster])
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// readCase is a text and what is read of it, or the error.
type readCase struct {
	name, text string
	o          ComparisonsOptions
	want, err  string
}

func (c *readCase) check(t *testing.T) {
	t.Helper()
	got, err := ReadComparisonsFrom(strings.NewReader(c.text), "t", c.o)
	switch {
	case c.err != "":
		if err == nil || err.Error() != c.err {
			t.Errorf("%s: error %v, want\n%s", c.name, err, c.err)
		}
	case err != nil:
		t.Errorf("%s: %v", c.name, err)
	case describeComparisons(got) != c.want:
		t.Errorf("%s: %s, want %s", c.name, describeComparisons(got), c.want)
	}
}

// TestReadOutcomes: a probability is a win that leaves a rest, and a margin one with a magnitude.
func TestReadOutcomes(t *testing.T) {
	var difference ComparisonsOptions
	difference.Outcome.Difference = true
	for _, c := range []readCase{
		{name: "probabilities", text: "left,right,p_left\nx,y,1\nx,y,0.75\nx,y,0\nx,y,0.25\nx,y,0.5\nx,y,NA\ny,x,0.25\n",
			want: "x-y 1:1:1; x-y 1:1:0 w1 z0.5 r0.25; y-x 0:1:0 w1 z0.5 r0.25"},
		{name: "margins", text: "left,right,margin\nx,y,2\nx,y,-2\nx,y,0\nx,y,-1\n",
			want: "x-y 1:1:0 w1 z2; x-y 0:1:1"},
		{name: "margins by their values", text: "left,right,d\nx,y,-2\nx,y,1\n", o: outcomesOf("d", ""),
			want: "x-y 0:1:0 w1 z2; x-y 1:0:0"},
		{name: "of either kind", text: "left,right,d\nx,y,0.5\nx,y,1\n", o: outcomesOf("d", ""),
			err: "t: all outcomes are from " +
				"0 to 1, and may be probabilities that the left item is better, or margins of which none is of the right item"},
		{name: "margins from 0 to 1", text: "left,right,d\nx,y,0.5\n", o: outcomesOf("d", "margin"),
			want: "x-y 1:0:0 w1 z0.5"},
		{name: "no probability", text: "left,right,d\nx,y,1\nx,y,1.5\n", o: outcomesOf("d", "probability"),
			err: "t:3:5: an " +
				`outcome is the probability that the left item is better, from 0 to 1: margins are for the squared loss: "1.5"`},
		{name: "a word", text: "left,right,d\nx,y,left\n", o: outcomesOf("d", "probability"),
			err: `t:2:5: not a finite number: "left"`},
		{name: "a winner before a margin", text: "left,right,winner,margin,p_left\nx,y,x,-2,0\n", want: "x-y 1:0:0"},
		{name: "an outcome before a winner", text: "left,right,winner,d,magnitude\nx,y,x,-2,7\n",
			o:    outcomesOf("d", ""),
			want: "x-y 0:1:0 w1 z2"},
		{name: "two outcomes", text: "left,right,margin,p_left\nx,y,1,1\n",
			err: `t:1:19: columns 3 and 4 may both be the outcome: the columns are "left", "right", "margin", "p_left": ` +
				`"p_left"`},
		{name: "differences", text: "a,b,score_a,score_b\nx,y,3,1\nx,y,2,2\nx,y,0,3\nx,y,,1\n", o: difference,
			want: "x-y 1:0:0 w1 z2; x-y 0:0:1; x-y 0:1:0 w1 z3"},
		{name: "differences of no scores", text: "a,b,winner\nx,y,x\n", o: difference,
			err: "t:1:1: the columns have no " +
				`left and right item with scores, whose difference is the margin: "a", "b", "winner"`},
		{name: "a probability that wins", text: "a,b,winner\nx,y,0.7\n",
			err: `t:2:5: the winner is neither "x" nor "y", nor ` +
				`left, right or tie; a probability or a margin is no winner, but an outcome: "0.7"`},
	} {
		c.check(t)
	}
}

// outcomesOf are options of a column of outcomes.
func outcomesOf(column, are string) (o ComparisonsOptions) {
	o.Outcome.Column, o.Outcome.Are = column, are
	return o
}

func TestReadComparisons(t *testing.T) {
	var byScores ComparisonsOptions
	byScores.Outcome.ScoreLeft, byScores.Outcome.ScoreRight = "p", "q"
	for _, c := range []readCase{
		{name: "winner and loser", text: "winner,loser\na,b\nb,c\na,b\n", want: "a-b 2:0:0; b-c 1:0:0"},
		{name: "sides", text: "left,right,winner\nx,y,left\nx,y,right\nx,y,tie\ny,x,left\n",
			want: "x-y 1:1:1; y-x 1:0:0"},
		{name: "models", text: "model_a,model_b,winner\nx,y,model_a\nx,y,tie (bothbad)\nx,y,model_b\n",
			want: "x-y 1:1:1"},
		{name: "items", text: "a;b;winner\nx;y;y\nx;y;x\n", want: "x-y 1:1:0"},
		{name: "points", text: "home\taway\tresult\nx\ty\t1\nx\ty\t0.5\nx\ty\t0\n", want: "x-y 1:1:1"},
		{name: "counts", text: "model_a,model_b,wins_a,wins_b,ties,ties_both_bad\nx,y,3,4,1,2\ny,z,1,0,0,0\n",
			want: "x-y 3:4:3; y-z 1:0:0"},
		{name: "annotators", text: "left,right,winner,worker,stratum\nx,y,x,u,s\nx,y,x,v,s\nx,y,y,u,s\n",
			want: "x-y 1:1:0 by u in s; x-y 1:0:0 by v in s"},
		{name: "weights", text: "winner,loser,weight,magnitude,note\nx,y,2,3,good\nx,y,2,3,bad\nx,y,1,3,\n",
			want: "x-y 2:0:0 w2 z3; x-y 1:0:0 w1 z3"},
		{name: "named", text: "p,q,r,s\nx,y,1,2\n", o: ComparisonsOptions{Left: "p", Right: "2",
			WinsLeft: "r", WinsRight: "s"},
			want: "x-y 1:2:0"},
		{name: "covariates", text: "winner,loser,len\nx,y,1\nx,y,2\n",
			o:    ComparisonsOptions{Covariates: []string{"len"}},
			want: "x-y 1:0:0; x-y 1:0:0"},
		{name: "counts without use", text: "left,right,winner,loser,ties\nx,y,x,y,3\n", want: "x-y 1:0:0"},
		{name: "objects", text: `{"model_a": "x", "model_b": "y", "winner": "model_a", "turns": [1, {"b": 2}]}` + "\n\n" +
			`{"winner": "tie", "model_b": "y", "model_a": "\u0078", "note": null}` + "\n", want: "x-y 1:0:1"},
		{name: "objects of counts", text: `{"a":"x","b":"y","wins_a":2,"wins_b":1}` + "\n", want: "x-y 2:1:0"},
		{name: "points of objects", text: `{"a":"x","b":"y","winner":0.5,"judge":7}` + "\n", want: "x-y 0:0:1 by 7"},

		{name: "a winner and counts", text: "left,right,winner,wins_a,wins_b\nx,y,x,1,0\n",
			err: `t:1:12: a winner beside counts of wins: a line has one of them: "winner"`},
		{name: "ties of no counts", text: "left,right,winner,d\nx,y,x,3\n", o: ComparisonsOptions{Ties: "d"},
			err: `t:1:19: the column of the ties is not for these columns: "left", "right", "winner", "d": "d"`},
		{name: "no column", text: "winner,loser\nx,y\n", o: ComparisonsOptions{Annotator: "who"},
			err: `t:1:1: no column "who" among 2: the columns are "winner", "loser"`},
		{name: "two roles", text: "winner,loser\nx,y\n", o: ComparisonsOptions{Winner: "1", Loser: "winner"},
			err: `t:1:1: this column has two roles: "winner"`},
		{name: "a missing member", text: `{"winner":"x","loser":"y"}` + "\n" + `{"winner":"x"}` + "\n",
			err: `t:2:1: the name of an item is missing`},
		{name: "null", text: `{"winner":"x","loser":null}` + "\n", err: `t:1:23: the name of an item is missing`},
		{name: "a member twice", text: `{"winner":"x","loser":"y"}` + "\n" + `{"winner":"x","loser":"y","winner":"y"}` + "\n",
			err: `t:2:27: the member stands twice: "\"winner\""`},
		{name: "a later member", text: `{"winner":"x","loser":"y"}` + "\n" + `{"winner":"x","loser":"y","judge":"u"}` + "\n",
			err: `t:2:27: the first object has no such member: "\"judge\""`},
		{name: "no object", text: `{"winner":"x","loser":"y"}` + "\nx\n",
			err: `t:2:1: invalid character 'x' looking for ` +
				`beginning of value`},
		{name: "a short line", text: "winner,loser\nx\n", err: `t:2:1: 1 fields, but the first line has 2: "x"`},
		{name: "a large count", text: "a,b,wins_a,wins_b\nx,y,1e13,2\n",
			err: `t:2:5: a count is above 1099511627776: "1e13"`},
		{name: "no worker", text: "winner,loser,worker\nx,y,\n", err: `t:2:5: the name of the annotator is missing`},
		{name: "counts together", text: "a,b,wins_a,wins_b\nx,y,1,2\nx,y,3,0\n", want: "x-y 4:2:0"},
		{name: "counts apart", text: "a,b,wins_a,wins_b\nx,y,1,2\nx,y,3,0\n", o: ComparisonsOptions{CountsApart: true},
			want: "x-y 1:2:0; x-y 3:0:0"},
		{name: "no counts", text: "winner,loser\nx,y\nx,y\n", o: ComparisonsOptions{CountsApart: true},
			want: "x-y 2:0:0"},
		{name: "itself", text: "winner,loser\na,b\nb,b\n", err: `t:3:3: an item is compared with itself: "b"`},
		{name: "nobody", text: "left,right,winner\na,b,c\n",
			err: `t:2:5: the winner is neither "a" nor "b", nor left, right or tie: "c"`},
		{name: "no name", text: "left,right,winner\n,b,left\n", err: `t:2:1: the name of an item is missing`},
		{name: "negative", text: "a,b,wins_a,wins_b\nx,y,-1,2\n", err: `t:2:5: a count is below 0: "-1"`},
		{name: "a share", text: "a,b,wins_a,wins_b\nx,y,1.5,2\nx,y,0,0.25\n", want: "x-y 1.5:2.25:0"},
		{name: "nothing", text: "a,b,wins_a,wins_b\nx,y,0,0\n", err: `t: no comparisons: no line has an outcome`},
		{name: "nothing in a line", text: "a,b,wins_a,wins_b\nx,y,0,0\ny,z,2,1\n", want: "y-z 2:1:0"},
		{name: "scores", text: "home_team,away_team,home_score,away_score\nx,y,2,1\nx,y,0,0\nx,y,NA,\ny,x,0,3\n",
			want: "x-y 1:0:1; y-x 0:1:0"},
		{name: "given scores", text: "a,b,winner,p,q\nx,y,x,1,2\n",
			o:    byScores,
			want: "x-y 0:1:0"},
		{name: "home, draw, away", text: "HomeTeam,AwayTeam,FTHG,FTAG,FTR\nx,y,2,1,H\nx,y,1,1,D\nx,y,0,1,A\n",
			want: "x-y 1:1:1"},
		{name: "results", text: "white,black,result\nx,y,1-0\nx,y,1/2-1/2\nx,y,0-1\nx,y,½–½\nx,y,3:2\n",
			want: "x-y 2:1:2"},
		{name: "names", text: "winner_name,loser_name,winner_id\nx,y,7\n", want: "x-y 1:0:0"},
		{name: "truths", text: "home,away,winner,neutral\nx,y,x,TRUE\nx,y,x,false\n",
			o: ComparisonsOptions{Covariates: []string{"neutral"}}, want: "x-y 1:0:0; x-y 1:0:0"},
		{name: "clusters", text: "winner,loser,q,turn\nx,y,7,1\nx,y,7,1\nx,y,7,2\n",
			o: ComparisonsOptions{Cluster: []string{"q", "turn"}}, want: "x-y 2:0:0 of 1 7 1 1; x-y 1:0:0 of 1 7 1 2"},
		{name: "a cluster", text: "winner,loser,cluster\nx,y,7\nx,y,8\n", want: "x-y 1:0:0 of 7; x-y 1:0:0 of 8"},
		{name: "apart", text: "winner,loser\nx,y\nx,y\n", o: ComparisonsOptions{Apart: true},
			want: "x-y 1:0:0; x-y 1:0:0"},
		{name: "no columns", text: "p,q\nx,y\n",
			err: `t:1:1: the columns are no comparisons, which are left and right with ` +
				`winner, with counts of wins or with scores, or winner and loser: "p", "q"`},
		{name: "two winners", text: "left,right,winner,result\nx,y,x,x\n",
			err: `t:1:19: columns 3 and 4 may both be the winner: the columns are "left", "right", "winner", "result": ` +
				`"result"`},
		{name: "weight", text: "winner,loser,weight\nx,y,0\n", err: `t:2:5: the weight is not above 0: "0"`},
		{name: "empty", text: "", err: "t: no comparisons: the file is empty"},
		{name: "header", text: "winner,loser\n", err: "t: no comparisons: the file has only a header"},
	} {
		c.check(t)
	}
}

func TestComparisonsKeepPlaces(t *testing.T) {
	_, err := ReadComparisonsFrom(strings.NewReader("left,right,winner\nx,y,left\ny,x,tie\nX ,y,x \n"), "t",
		ComparisonsOptions{})
	if err == nil {
		t.Fatal("an unknown winner is read") // "x" of the last line is not "X"
	}
	c, err := ReadComparisonsFrom(strings.NewReader("left,right,winner\nx,y,left\ny,x,tie\nx,y,right\nX,y,left\n"), "t",
		ComparisonsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Of, []int32{0, 1, 0, 2}) || !slices.Equal(c.Outcome, []int8{0, 2, 1, 0}) {
		t.Errorf("lines %v, outcomes %v", c.Of, c.Outcome)
	}
	want := []string{`the names "x" and "X" differ by case or blanks: they are two items`}
	if !slices.Equal(c.Doubts, want) {
		t.Errorf("doubts %q", c.Doubts)
	}
}

func TestRealComparisons(t *testing.T) {
	for _, c := range []struct {
		file         string
		items, lines int
		outcomes     float64
	}{{"arena_2024_08.csv.gz", 129, 3460, 1670250}, {"llmfao.csv.gz", 59, 0, 8931}, {"baseball_1987.csv", 7, 42, 0},
		{"flatlizards_contests.csv", 77, 0, 100}} {
		got, err := ReadComparisons(realdata.Path(t, "comparisons/"+c.file), ComparisonsOptions{})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, l := range got.Lines.Rows() {
			sum += l.Wins + l.Losses + l.Ties
		}
		if len(got.Items) != c.items || c.lines > 0 && got.Lines.Len() != c.lines || c.outcomes > 0 && sum != c.outcomes {
			t.Errorf("%s: %d items, %d lines, %v outcomes", c.file, len(got.Items), got.Lines.Len(), sum)
		}
	}
}

// FuzzComparisons: no text makes the reader panic. The outcomes of the lines add up to those of the places in the file,
// and each name is that of some line.
func FuzzComparisons(f *testing.F) {
	for _, text := range []string{"winner,loser\na,b\nb,c\na,b\n", "left,right,winner,worker\nx,y,left,u\ny,x,tie,v\n",
		"a\tb\twins_a\twins_b\tties\nx\ty\t3\t4\t1\n", "home;away;result;weight\nx;y;0,5;2\nx;y;1;0,25\n",
		`{"model_a":"x","model_b":"y","winner":"tie (bothbad)"}` + "\n" + `{"model_b":"x","model_a":"y","winner":1}`,
		"winner,loser,magnitude,stratum\n\"a,\"\"1\"\"\",b,2,s\nb,a,1,t\n", "a,b,winner\n,,\n", "{}\n"} {
		f.Add(text, "", "")
		f.Add(text, "worker", "weight")
		f.Add(text, "2", "4")
	}
	f.Fuzz(func(t *testing.T, text, annotator, covariate string) {
		o := ComparisonsOptions{Annotator: annotator}
		if covariate != "" {
			o.Covariates = []string{covariate}
		}
		c, err := ReadComparisonsFrom(strings.NewReader(text), "t", o)
		if err != nil {
			return
		}
		var lines, places [3]float64
		items, annotators := make([]bool, len(c.Items)), make([]bool, len(c.Annotators))
		for _, l := range c.Lines.Rows() {
			for k, n := range [3]float64{l.Wins, l.Losses, l.Ties} {
				lines[k] += n
			}
			items[l.Left], items[l.Right] = true, true
			if l.Annotator >= 0 {
				annotators[l.Annotator] = true
			}
			if !(l.Weight > 0) || !(l.Magnitude > 0) || l.Left == l.Right || l.Wins+l.Losses+l.Ties == 0 {
				t.Fatalf("%q: a line %+v", text, l)
			}
		}
		for k, at := range c.Of {
			if at < 0 {
				continue
			}
			if (c.Outcome[k] < 0) != c.Counts || int(at) >= c.Lines.Len() {
				t.Fatalf("%q: outcome %d of line %d", text, c.Outcome[k], at)
			}
			if !c.Counts {
				places[c.Outcome[k]]++
			}
		}
		if !c.Counts && lines != places {
			t.Fatalf("%q: outcomes of lines %v, of the places in the file %v", text, lines, places)
		}
		if slices.Contains(items, false) || slices.Contains(annotators, false) {
			t.Fatalf("%q: a name of no line: %q, %q", text, c.Items, c.Annotators)
		}
		if c.X != nil && (c.X.Rows != c.Lines.Len() || c.X.Cols != len(c.Covariates)) {
			t.Fatalf("%q: covariates %d×%d of %d lines", text, c.X.Rows, c.X.Cols, c.Lines.Len())
		}
	})
}

func BenchmarkReadComparisons(b *testing.B) {
	const lines, items = 100_000, 100
	var text strings.Builder
	text.WriteString("model_a,model_b,winner\n")
	for k := range lines {
		i := k * 7919 % items
		fmt.Fprintf(&text, "a-model-called-%d,a-model-called-%d,%s\n", i, (i+1+k%(items-1))%items,
			[]string{"model_a", "model_b", "tie"}[k%3])
	}
	b.Run(fmt.Sprintf("lines=%d", lines), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ReadComparisonsFrom(strings.NewReader(text.String()), "t", ComparisonsOptions{}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(lines*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
	})
}
