package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

// The names of the rows may be a factor of a model: each then has the feature of its name, and those that an open
// one does not know have none.
func TestNamesAreFactors(t *testing.T) {
	names := []string{"age", "item=ada", "item=bob"}
	for _, open := range []bool{true, false} {
		o := Options{Names: names, NoLabel: true, Schema: &data.Schema{ID: "item",
			Factors: []data.Factor{{Column: "item", Levels: []string{"ada", "bob"}, Open: open}}}}
		set, err := ReadSetFrom(strings.NewReader("item,age\nbob,2\neve,3\n"), "rows.csv", o)
		if !open {
			if err == nil || !strings.Contains(err.Error(), `no level "eve" of column "item"`) {
				t.Errorf("a name that is not known: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		x := set.X.(*data.Dense)
		if got := fmt.Sprint(x.Row(0), x.Row(1)); got != "[2 0 1] [3 0 0]" || !slices.Equal(set.IDs, []string{"bob", "eve"}) {
			t.Errorf("rows %s of %q", got, set.IDs)
		}
	}
}

// A row to which a model gives a score of its own may lack the features that it lacked in training, whatever an option
// says of others.
func TestOwnRowsLackFeatures(t *testing.T) {
	schema := &data.Schema{ID: "item", Factors: []data.Factor{{Column: "item", Levels: []string{"bob"}, Open: true}},
		Filled: []data.Filled{{Column: "age", Rows: 1, By: "own"}}}
	for _, by := range []data.Missing{data.MissingError, data.MissingMean} {
		o := Options{Names: []string{"age", "item=bob"}, NoLabel: true, Schema: schema, Missing: by}
		set, err := ReadSetFrom(strings.NewReader("item,age\nann,2\nbob,\ncal,4\n"), "rows.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		x := set.X.(*data.Dense)
		if got := fmt.Sprint(x.Row(0), x.Row(1), x.Row(2)); got != "[2 0] [0 1] [4 0]" {
			t.Errorf("%s: rows %s", by, got)
		}
		if _, err = ReadSetFrom(strings.NewReader("item,age\nann,2\neve,\n"), "rows.csv", o); by == data.MissingError &&
			(err == nil || !strings.Contains(err.Error(), `row 2: column "age": the value is missing`)) {
			t.Errorf("a row that training did not know: %v", err)
		}
	}
}
