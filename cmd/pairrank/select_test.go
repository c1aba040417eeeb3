package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/naive"
	"pairrank/model"
)

// rowsOf writes a file of rows as SVMlight text, without zeros; query is nil for
// a single list.
func rowsOf(t *testing.T, x []float64, n int, y []float64, query []int) string {
	t.Helper()
	var b strings.Builder
	for i, label := range y {
		fmt.Fprintf(&b, "%g", label)
		if query != nil {
			fmt.Fprintf(&b, " qid:%d", query[i]+1)
		}
		for j, v := range x[i*n : (i+1)*n] {
			if v != 0 {
				fmt.Fprintf(&b, " %d:%s", j+1, strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		b.WriteString("\n")
	}
	return textFile(t, "rows.txt", b.String())
}

func textFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// program runs the program and returns its exit code and what it printed, on
// standard output and then on standard error.
func program(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = cli.ExitCode(run(t.Context(), args, strings.NewReader(""), &out, &err))
	return code, out.String(), err.String()
}

// putFile writes a file in a folder and returns its path.
func putFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// must is program where it has to succeed; it returns standard output.
func must(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := program(t, args...)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// Whatever chooses λ, the same λ gives the same model, to the last bit: for every
// learner and solver, dense and sparse rows, one list and queries.
func TestSelectionDoesNotChangeTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of trainings")
	}
	const m, n, lists = 24, 6, 6
	random := rand.New(rand.NewPCG(9, 1))
	basis := textFile(t, "basis.txt", "2\n9\n17\n")
	learners := []string{
		"rankrls --solver primal", "rankrls --solver dual", "rankrls --solver cg",
		"rankrls --solver sparse --basis-rows " + basis,
		"rankrls --kernel gaussian:gamma=0.1", "rankrls --kernel gaussian:gamma=0.1 --basis-rows " + basis,
		"rankrls --solver dual --ties exclude", "rankrls --solver sparse --cost unit --basis-rows " + basis,
		"rls --solver primal", "rls --solver dual", "rls --solver cg", "rls --solver sparse --basis-rows " + basis,
		"ranksvm", "ranksvm --loss squared-hinge", "ranksvm --basis-rows " + basis,
		"ranksvm --kernel gaussian:gamma=0.1",
	}
	for _, storage := range []string{"dense", "sparse"} {
		for _, oneList := range []bool{true, false} {
			x, y, query := make([]float64, m*n), make([]float64, m), make([]int, m)
			for i := range x {
				if storage == "dense" || i%n == i/n%n {
					x[i] = 3 + random.NormFloat64()
				}
			}
			for i := range y {
				y[i], query[i] = float64(random.IntN(4)), i%lists
			}
			if oneList {
				query = nil
			}
			rows, given := rowsOf(t, x, n, y, query), textFile(t, "kernel.tsv", gramText(x, n))
			for _, learner := range append(learners, "rankrls --kernel-matrix "+given,
				"rls --basis-rows "+basis+" --kernel-matrix "+given) {
				sameModels(t, rows, learner, oneList, fmt.Sprintf("%s, one list: %v", storage, oneList))
			}
		}
	}
}

// gramText is the matrix of inner products of the rows as a table.
func gramText(x []float64, n int) string {
	var b strings.Builder
	for i := 0; i < len(x); i += n {
		for j := 0; j < len(x); j += n {
			sum := 0.0
			for c := range n {
				sum += x[i+c] * x[j+c]
			}
			if j > 0 {
				b.WriteString("\t")
			}
			b.WriteString(strconv.FormatFloat(sum, 'g', -1, 64))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// sameModels trains a learner once for each way to select and compares the files.
func sameModels(t *testing.T, rows, learner string, oneList bool, about string) {
	t.Helper()
	var first string
	for _, by := range []string{"none", "lpo", "lqo", "loo", "kfold:3"} {
		args := append([]string{"train", rows, "-o", "-", "--lambda", "2^-2", "--select", by, "--learner"},
			strings.Fields(learner)...)
		code, text, stderr := program(t, args...)
		exact := !strings.Contains(learner, "cg") && !strings.Contains(learner, "ranksvm") &&
			!strings.Contains(learner, "exclude") && !strings.Contains(learner, "unit")
		impossible := by == "lqo" && oneList || by == "lpo" && !exact || by == "lpo" && !oneList &&
			strings.HasPrefix(learner, "rankrls")
		if impossible {
			if code == cli.ExitOK {
				t.Errorf("%s, %s: --select %s has no error", about, learner, by)
			}
			continue
		}
		if code != cli.ExitOK {
			t.Errorf("%s, %s: --select %s ends with exit code %d\n%s", about, learner, by, code, stderr)
			continue
		}
		// how λ was chosen, and the checksum over it, differ
		lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
			return strings.HasPrefix(line, "selection") || strings.HasPrefix(line, "checksum")
		})
		got := strings.Join(lines, "\n")
		if first == "" {
			first = got
		} else if got != first {
			t.Errorf("%s, %s: --select %s gives another model than none:\n%s\n%s", about, learner, by, got, first)
		}
	}
}

// weightsOf reads the weights of a linear model.
func weightsOf(t *testing.T, text string) []float64 {
	t.Helper()
	m, err := model.Read(strings.NewReader(text), "model")
	if err != nil {
		t.Fatal(err)
	}
	return m.Scorer.(*model.Linear).Weights.Row(0)
}

// farFrom0 is a single list of rows at a distance from 0 that is large beside
// what they differ by, with the pairs that compare them.
func farFrom0(random *rand.Rand, m, n int, distance float64) (x, y []float64, pairs []naive.Pair) {
	x, y = make([]float64, m*n), make([]float64, m)
	for i := range x {
		x[i] = distance*float64(1+i%n) + random.NormFloat64()
	}
	for i := range y {
		y[i] = float64(random.IntN(4))
	}
	return x, y, naive.Pairs(y, make([]int, m), "magnitude", "include", "pairs")
}

// On rows far from 0 the sparse solver minimises over the span of the basis rows
// as they are, and keeps its digits, by the definition in exact arithmetic.
func TestBasisOfRowsFarFrom0(t *testing.T) {
	const m, n = 15, 5
	random := rand.New(rand.NewPCG(9, 2))
	for _, distance := range []float64{0, 1, 100, 1e4} {
		for _, basis := range [][]int{{3}, {0, 7}, {1, 4, 8, 11}} {
			x, y, pairs := farFrom0(random, m, n, distance)
			names := ""
			for _, i := range basis {
				names += strconv.Itoa(i+1) + "\n"
			}
			rows, chosen := rowsOf(t, x, n, y, nil), textFile(t, "basis.txt", names)
			for _, lambda := range []float64{0x1p-5, 1, 0x1p5} {
				want := naive.Subset(x, n, basis, pairs, lambda)
				for _, by := range []string{"none", "lpo", "loo", "kfold:3"} {
					text := must(t, "train", rows, "-o", "-", "--solver", "sparse", "--basis-rows", chosen, "--lambda",
						fmt.Sprint(lambda), "--select", by)
					// K_BB has a condition number of distance², and the coefficients its digits
					if apart := relative(weightsOf(t, text), want); apart > 1e-9*max(1, distance*distance/1e5) {
						t.Errorf("rows at %g, basis %v, λ = %g, --select %s: weights off by %.2g", distance, basis,
							lambda, by, apart)
					}
				}
			}
		}
	}
}

// relative is the largest difference beside the largest number.
func relative(got, want []float64) float64 {
	largest, apart := 0.0, 0.0
	for i, v := range want {
		largest, apart = max(largest, math.Abs(v)), max(apart, math.Abs(got[i]-v))
	}
	return apart / largest
}

// Held-out scores of leave-one-out on rows far from 0 are those of training again
// without the row, on the scale of the model: the constant that no pair sees is
// in them.
func TestLeaveOneOutFarFrom0(t *testing.T) {
	const m, n = 12, 4
	random := rand.New(rand.NewPCG(9, 3))
	for _, distance := range []float64{0, 10, 1e4, 1e6} {
		x, y, _ := farFrom0(random, m, n, distance)
		rows, basis := rowsOf(t, x, n, y, nil), []int{1, 4, 8}
		chosen := textFile(t, "basis.txt", "2\n5\n9\n")
		for solver, of := range map[string][]int{"dual": nil, "primal": nil, "sparse": basis, "cg": nil,
			"dual --ties exclude": nil, "sparse --ties exclude": basis} {
			if distance > 1e4 && of != nil {
				continue // K_BB has lost its digits
			}
			args := strings.Fields("cv " + rows + " --lambda 0.5 --method loo --solver " + solver)
			if of != nil {
				args = append(args, "--basis-rows", chosen)
			}
			if solver == "cg" {
				args = append(args, "--tolerance", "1e-14")
			}
			held := filepath.Join(t.TempDir(), "held.txt")
			must(t, append(args, "--held-out", held)...)
			ties := "include"
			if strings.Contains(solver, "exclude") {
				ties = "exclude"
			}
			got, want := numbersOf(t, held), make([]float64, m)
			for i := range want {
				want[i] = heldOut(x, n, y, i, of, ties, 0.5)
			}
			if apart := relative(got, want); apart > 1e-8 {
				t.Errorf("rows at %g, --solver %s: held-out scores off by %.2g", distance, solver, apart)
			}
		}
	}
}

// heldOut is the score of row i from training on the others. The basis rows,
// which may have row i, are all others when nil.
func heldOut(x []float64, n int, y []float64, i int, basis []int, ties string, lambda float64) float64 {
	in := naive.Without(len(y), []int{i})
	pairs := naive.Pairs(naive.Pick(y, in), make([]int, len(in)), "magnitude", ties, "pairs")
	for p := range pairs {
		pairs[p].I, pairs[p].J = in[pairs[p].I], in[pairs[p].J]
	}
	if basis == nil {
		basis = in[:n] // as many as there are features span all functions
	}
	w := naive.Subset(x, n, basis, pairs, lambda)
	score := 0.0
	for c, v := range w {
		score += v * x[i*n+c]
	}
	return score
}

func numbersOf(t *testing.T, path string) []float64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []float64
	for _, field := range strings.Fields(string(text)) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}
