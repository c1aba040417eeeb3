package source

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/export/internal/plain"
	"pairrank/fault"
	"pairrank/model"
)

// sqlite runs a script in a folder and returns its output.
func sqlite(t *testing.T, folder, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sqlite3", "-batch", "-bail")
	cmd.Dir, cmd.Stdin, cmd.Stderr = folder, strings.NewReader(script), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func needSQLite(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("there is no sqlite3 here")
	}
}

// The SELECT scores as the model, by columns of odd names, and puts the best first.
func TestSQL(t *testing.T) {
	needSQLite(t)
	for name, m := range models(rand.New(rand.NewPCG(1, 2))) {
		folder := t.TempDir()
		var b bytes.Buffer
		notes, err := WriteSQL(&b, m, `my "table"`)
		if err != nil || (len(notes) > 0) != (m.Names == nil) {
			t.Fatal(err, notes)
		}
		x, want := rows(t, m)
		columns, _ := plain.Names(m.Names, m.Features())
		columns = columns[:len(x[0])]
		script := createTable(`"my ""table"""`, columns, x) + "CREATE TABLE scored AS\n" + b.String() +
			";\nSELECT printf('%!.17g', \"score\") FROM scored ORDER BY \"row number\";\n"
		var got []float64
		for _, text := range strings.Fields(sqlite(t, folder, script)) {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		checkScores(t, name, got, want)
		script = createTable(`"my ""table"""`, columns, x) + b.String() + ";\n"
		first := strings.Split(sqlite(t, folder, script), "|") // the score, and the columns
		if best := slices.Index(want, slices.Max(want)); first[1] != strconv.Itoa(best) {
			t.Errorf("%s: row %s comes first, and %d is the best", name, first[1], best)
		}
	}
}

// The best row comes first even where the table has a column called score.
func TestSQLOrdersByItsScore(t *testing.T) {
	needSQLite(t)
	var b bytes.Buffer
	m := &model.Model{Info: model.Info{Learner: "x"}, Names: []string{"price", "score"},
		Scorer: &model.Linear{Weights: data.NewDense(1, 2, []float64{-1, 0.5})}}
	if _, err := WriteSQL(&b, m, ""); err != nil {
		t.Fatal(err)
	}
	script := createTable(`"rows"`, m.Names, [][]float64{{9, 8}, {1, 2}, {5, 6}}) + b.String() + ";\n"
	if got, want := sqlite(t, t.TempDir(), script), "0.0|1|1.0|2.0\n-2.0|2|5.0|6.0\n-5.0|0|9.0|8.0\n"; got != want {
		t.Errorf("the rows are %q, want %q", got, want)
	}
}

// createTable is the script that makes a table of rows with a column of their numbers.
func createTable(name string, columns []string, x [][]float64) string {
	script := "CREATE TABLE " + name + " (\"row number\" INTEGER"
	for _, c := range columns {
		script += ", " + quoted(c) + " REAL"
	}
	script += ");\n"
	for i, row := range x {
		script += "INSERT INTO " + name + " VALUES (" + strconv.Itoa(i)
		for _, v := range row {
			if v == gap {
				script += ", NULL"
				continue
			}
			script += ", " + strconv.FormatFloat(v, 'e', -1, 64)
		}
		script += ");\n"
	}
	return script
}

// A NULL among the features makes the score NULL, of weights and of steps, and many features
// keep within the depth that a database takes.
func TestSQLOfGapsAndManyFeatures(t *testing.T) {
	needSQLite(t)
	s := &model.Stumps{Features: 2, Terms: []model.Stump{{Feature: 0, Threshold: 1, Weight: 2},
		{Feature: 1, Threshold: 1, Weight: 4}}}
	linear := &model.Linear{Weights: data.NewDense(1, 2, []float64{2, 4})}
	for _, scorer := range []model.Scorer{s, linear} {
		var b bytes.Buffer
		if _, err := WriteSQL(&b, &model.Model{Info: model.Info{Learner: "x"}, Scorer: scorer}, ""); err != nil {
			t.Fatal(err)
		}
		got := sqlite(t, t.TempDir(),
			"CREATE TABLE \"rows\" (f1 REAL, f2 REAL); INSERT INTO \"rows\" VALUES (2, NULL), (2, 0);\n.nullvalue "+
				"NULL\n"+b.String()+";\n")
		want := "2.0|2.0|0.0\nNULL|2.0|NULL\n"
		if _, is := scorer.(*model.Linear); is {
			want = "4.0|2.0|0.0\nNULL|2.0|NULL\n"
		}
		if got != want {
			t.Errorf("%T: %q, want %q", scorer, got, want)
		}
	}
	const n = 1900 // SQLite has at most 2000 columns, and a depth of 1000
	many := &model.Linear{Weights: data.NewDense(1, n, slices.Repeat([]float64{1}, n))}
	var b bytes.Buffer
	if _, err := WriteSQL(&b, &model.Model{Info: model.Info{Learner: "x"}, Scorer: many}, ""); err != nil {
		t.Fatal(err)
	}
	columns, values := make([]string, n), make([]string, n)
	for j := range n {
		columns[j], values[j] = fmt.Sprintf("f%d", j+1), "1"
	}
	script := "CREATE TABLE \"rows\" (" + strings.Join(columns, ",") + "); INSERT INTO \"rows\" VALUES (" +
		strings.Join(values, ",") + ");\nCREATE TABLE scored AS\n" + b.String() + ";\nSELECT \"score\" FROM scored;\n"
	if got := sqlite(t, t.TempDir(), script); got != "1900.0\n" {
		t.Errorf("%d features: %q", n, got)
	}
}

func TestSQLRefusesNames(t *testing.T) {
	for _, names := range [][]string{{"a", "a"}, {"a", ""}, {"a", "b\x00"}} {
		m := &model.Model{Info: model.Info{Learner: "x"}, Names: names,
			Scorer: &model.Linear{Weights: data.NewDense(1, 2, nil)}}
		var refused *fault.RefusedError
		if _, err := WriteSQL(&bytes.Buffer{}, m, ""); !errors.As(err, &refused) {
			t.Errorf("names %q: %v", names, err)
		}
	}
}

// Numbers are approximate literals that read back; negative ones are in parentheses.
func TestSQLNumber(t *testing.T) {
	for v, want := range map[float64]string{1: "1e+00", -0.5: "(-5e-01)", math.MaxFloat64: "1.7976931348623157e+308"} {
		if got := sqlNumber(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}
