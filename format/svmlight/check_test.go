package svmlight

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"pairrank/data"
)

func check(t *testing.T, text string, opts Options, limit int) ([]string, Summary) {
	t.Helper()
	problems, sum, err := Check(strings.NewReader(text), "t", opts, limit)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range problems {
		all = append(all, p.Severity.String()+" "+p.Error())
	}
	return all, sum
}

func TestCheckListsEveryError(t *testing.T) {
	const text = "1 qid:1 1:1 3:x 2:1 2:2 7\n" +
		"y qid:1 1:1\n" +
		"2 qid:1 1:2 2:3\n" +
		"3 1:5\n" +
		"3 qid:1 1:1 0:1 qid:2\n"
	want := []string{
		`error t:1:15: the value is not a number: "x"`,
		`error t:1:21: index 2 is repeated: "2:2"`,
		`error t:1:25: expected index:value: "7"`,
		`error t:2:1: the label is not a number: "y"`,
		`error t:4:1: row without a qid, but the rows before have one: "3 1:5"`,
		`error t:5:13: index 0, but indices start at 1: "0:1"`,
		`error t:5:17: second qid in a row: "qid:2"`,
		`warning t: there is only one row, nothing to compare`,
		`warning t:3:1: 1 query has one row, nothing to compare; first: "1"`,
		`warning t: 2 features have the same value in all rows; first: index 1`,
	}
	got, sum := check(t, text, Options{}, 0)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("problems\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if sum.Errors != 7 || sum.Warnings != 3 || sum.Rows != 1 || sum.Lines != 5 {
		t.Errorf("summary %+v", sum)
	}
	got, sum = check(t, text, Options{}, 2)
	if !reflect.DeepEqual(got[:2], want[:2]) || len(got) != 5 || sum.Errors != 7 {
		t.Errorf("limited to 2: %q, %+v", got, sum)
	}
}

func TestCheckSummary(t *testing.T) {
	const text = "# head\n2 qid:a 1:0.5 2:0\n0 qid:b 1:-1 4:3\n2 qid:a 1:0.5\n1 qid:c\n1 qid:c 2:1\n"
	got, sum := check(t, text, Options{}, 0)
	want := Summary{
		Lines: 6, Rows: 5, Features: 4, Queries: 3, HasQID: true, Values: 6, Nonzero: 5, Density: 0.25,
		Labels: []LabelCount{{0, 1}, {1, 2}, {2, 2}}, DistinctLabels: 3, MinLabel: 0, MaxLabel: 2,
		MinValue: -1, MaxValue: 3, Warnings: 5,
	}
	if !reflect.DeepEqual(sum, want) {
		t.Errorf("summary\n%+v, want\n%+v", sum, want)
	}
	warnings := []string{
		`warning t:3:1: 1 query has one row, nothing to compare; first: "b"`,
		`warning t:2:1: 2 queries have one label in all rows; first: "a"`,
		`warning t:4:1: 1 query has rows of other queries in between; first: "a"`,
		`warning t:4:1: 1 row has the same features as an earlier row of the query; first: "a"`,
		`warning t: 1 feature has the same value in all rows; first: index 3`,
	}
	if !reflect.DeepEqual(got, warnings) {
		t.Errorf("problems\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(warnings, "\n"))
	}
	if got, sum := check(t, "1 1:1\n1 1:2\n", Options{}, 0); len(got) != 1 ||
		got[0] != "warning t: all 2 labels are 1, nothing to compare" || sum.Queries != 1 {
		t.Errorf("equal labels: %q, %+v", got, sum)
	}
	if _, sum := check(t, "1 2147483646:1\n2 1:1\n", Options{}, 0); sum.Features != maxIndex {
		t.Errorf("a large index gives %d features", sum.Features)
	}
}

func TestCheckOfNothing(t *testing.T) {
	var syntax *data.SyntaxError
	if _, _, err := Check(strings.NewReader("#\n"), "t", Options{}, 0); !errors.As(err, &syntax) {
		t.Errorf("error %v", err)
	}
	broken := io.MultiReader(strings.NewReader("1 1:2\n1 1:x\n"), iotest.ErrReader(errors.New("gone")))
	problems, sum, err := Check(broken, "t", Options{}, 0)
	if err == nil || err.Error() != "t: gone" || sum.Rows != 1 || len(problems) == 0 {
		t.Errorf("%v, %+v, error %v", problems, sum, err)
	}
}

// Check and Reader speak the same language.
func TestCheckFindsWhatReadersRefuse(t *testing.T) {
	for _, c := range cases {
		problems, sum, err := Check(strings.NewReader(c.text), "t", c.opts, 0)
		switch {
		case c.err == "" && (err != nil || sum.Errors > 0):
			t.Errorf("%s: %v, %v in a good file", c.name, problems, err)
		case c.err != "" && err != nil && err.Error() != c.err:
			t.Errorf("%s: error %v, want %s", c.name, err, c.err)
		case c.err != "" && err == nil && (len(problems) == 0 || problems[0].Error() != c.err):
			t.Errorf("%s: %v, want %s", c.name, problems, c.err)
		}
	}
}
