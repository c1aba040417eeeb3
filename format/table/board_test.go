package table

import (
	"errors"
	"strings"
	"testing"
)

// The columns say whether a board ranks comparisons or scores.
func TestReadBoard(t *testing.T) {
	for _, c := range []struct {
		name, text, want, err string
		is                    error
	}{
		{name: "comparisons", text: "model_a,model_b,winner,task,score\nx,y,model_a,t,1\n", want: "x-y 1:0:0"},
		{name: "scores", text: "model,task,score\nx,t,1\n", want: "x: t [1];"},
		{name: "a member of scores that the first comparison lacks", text: `{"a":"x","b":"y","winner":"x"}` + "\n" +
			`{"a":"x","b":"y","winner":"y","task":"t"}` + "\n", want: "x-y 1:1:0"},
		{name: "neither", text: "p,q\n1,2\n", is: ErrColumns, err: `t:1:1: the columns are neither comparisons, which are ` +
			`left and right with winner, with counts of wins or with scores, or winner and loser, nor a table of scores, ` +
			`which are system, item and score: "p", "q"`},
		{name: "two winners", text: "left,right,winner,result\nx,y,x,x\n", is: ErrColumns,
			err: `t:1:19: columns 3 and 4 may both be the winner: the columns are "left", "right", "winner", "result": ` +
				`"result"`},
		{name: "two systems", text: "model,method,task,score\nx,y,t,1\n", is: ErrScoreColumns,
			err: `t:1:7: columns 1 and 2 may both be the system: the columns are "model", "method", "task", "score": ` +
				`"method"`},
		{name: "a second score", text: "model,task,score\nx,t,1\nx,t,1\n", is: ErrRepeatedScore,
			err: `t:3:5: system "x" has a second score on item "t", the first in line 2: "1"`},
		{name: "no rows", text: "{\n\"p\": [{}], \"q\": [{}]}", is: ErrRows,
			err: `t:1:1: an object whose rows may be the lists of objects "p", "q"`},
		{name: "nothing", err: "t: no comparisons and no scores: the file is empty"},
	} {
		compared, scored, err := ReadBoardFrom(strings.NewReader(c.text), "t", ComparisonsOptions{}, ScoreTableOptions{})
		got := ""
		switch {
		case c.err != "":
			if err == nil || err.Error() != c.err || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%s: error %v, want\n%s", c.name, err, c.err)
			}
			continue
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
			continue
		case compared != nil:
			got = describeComparisons(compared)
		default:
			got = describeScores(scored)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Winners are numbered from 0 or from 1, in all lines alike.
func TestNumberedWinners(t *testing.T) {
	for text, want := range map[string]string{"1\n0\n0.5\n": "x-y 1:1:1", "1\n2\n1.5\n2\n": "x-y 1:2:1",
		"1\n": "x-y 1:0:0"} {
		c, err := ReadComparisonsFrom(strings.NewReader("a,b,winner\nx,y,"+
			strings.TrimSuffix(strings.ReplaceAll(text, "\n", "\nx,y,"), "x,y,")), "t", ComparisonsOptions{})
		if err != nil || describeComparisons(c) != want || len(c.Reading) != 1 {
			t.Errorf("%q: %v, %v, want %s", text, c, err, want)
		}
	}
	_, err := ReadComparisonsFrom(strings.NewReader("a,b,winner\nx,y,0\nx,y,2\n"), "t", ComparisonsOptions{})
	if err == nil || err.Error() != `t:3:5: the winners are 0 and 1 in some lines, and 1 and 2 in others: "2"` {
		t.Errorf("0 and 2: %v", err)
	}
}
