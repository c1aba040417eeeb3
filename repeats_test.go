package pairrank

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/learn/greedy"
	"pairrank/kernel"
)

// twice is 15 rows of noise with two labels, each there twice, with names.
func twice(r *rand.Rand) *data.Set {
	const m, n = 30, 4
	x := data.NewDense(m, n, nil)
	set := &data.Set{X: x, Y: make([]float64, m), Queries: data.OneList(m), IDs: make([]string, m)}
	for i := range m {
		set.Y[i], set.IDs[i] = float64(i%15%2), fmt.Sprint("p", i%15)
		if i >= 15 && i%3 == 0 { // so that a fold of one name has a pair
			set.Y[i] = 1 - set.Y[i]
		}
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
			if i >= 15 {
				x.Row(i)[j] = x.Row(i - 15)[j]
			}
		}
	}
	return set
}

// heldOutPath is a way to hold rows out.
type heldOutPath struct {
	name           string
	plan           EstimateOptions
	matrix, sparse bool
	train          bool
}

// heldOutPaths are verbs × ways of holding out × learners × storage.
func heldOutPaths() (paths []heldOutPath) {
	learners := map[string]Learner{"rankrls": LeastSquares{}, "rls": LeastSquares{Regression: true},
		"ranksvm": RankSVM{MaxIterations: 30, Epsilon: 0.1}, "rankboost": RankBoost{Rounds: []int{1, 3}},
		"greedy": Greedy{Search: greedy.Forward}}
	for name, l := range learners {
		for _, method := range []string{"", "lpo", "loo", "kfold:3", "nested", "valid"} {
			for _, storage := range []string{"dense", "sparse", "gaussian", "matrix"} {
				p := heldOutPath{name: name + " " + method + " " + storage, matrix: storage == "matrix",
					sparse: storage == "sparse"}
				if boosts, greedy := name == "rankboost", name == "greedy"; storage != "dense" && greedy ||
					(p.matrix || storage == "gaussian") && (boosts || name == "ranksvm") || p.matrix && method == "valid" {
					continue // these have no kernels, or no features
				}
				p.plan = EstimateOptions{Options: Options{Learner: l, Lambdas: []float64{0.1, 1}},
					Intervals: cv.IntervalsNone}
				if storage == "gaussian" {
					p.plan.Kernels = []kernel.Kernel{kernel.Gaussian{Gamma: 0.5}}
				}
				if name == "rankboost" {
					p.plan.Lambdas = nil
				}
				switch method {
				case "", "valid":
				case "nested":
					p.plan.Nested = &cv.Method{Kind: cv.KFold, Folds: 3}
				default:
					m, _ := cv.ParseMethod(method)
					p.plan.Method = &m
				}
				for _, train := range []bool{false, true} {
					if p.train = train; train == (method == "valid") || train && method != "nested" {
						paths = append(paths, p)
					}
				}
			}
		}
	}
	return paths
}

// run trains or estimates, and returns the codes of the notes.
func (p *heldOutPath) run(set *data.Set, independent bool) (heard []event.Code, err error) {
	problem, plan := Problem{Set: set}, p.plan
	plan.IndependentRows = independent
	if p.sparse {
		sparse := *set
		sparse.X = sparseRows(set.X.(*data.Dense))
		problem.Set = &sparse
	}
	if p.matrix {
		m := len(set.Y)
		problem.Kernel = data.NewDense(m, m, nil)
		for i := range m {
			for j := range m {
				for c, v := range set.X.(*data.Dense).Row(i) {
					problem.Kernel.Row(i)[j] += v * set.X.(*data.Dense).Row(j)[c]
				}
			}
		}
	}
	note := func(n event.Note) { heard = append(heard, n.Code) }
	plan.Monitor = event.Monitor{Note: note}
	if p.train {
		if p.name[len(p.name)-6:] == "valid " {
			problem.Valid = set
		}
		_, err = learn(context.Background(), problem, plan)
	} else {
		_, err = Estimate(context.Background(), problem, plan)
	}
	return heard, err
}

func sparseRows(x *data.Dense) *data.CSR {
	s := &data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: []int{0}}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, v)
		}
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}

func codeOf(err error) fault.Code {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

// refusedElse reports whether a path is refused for what it holds out, whatever the rows are.
func refusedElse(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && (f.Kind == fault.Use || f.Code == codes.FaultNotExact)
}

// What belongs together leaves together, or it is told, whatever holds out, learns and stores: equal rows are a
// warning, names that repeat and numbers of subjects are errors unless the options insist, and groups need neither.
func TestWhatBelongsTogetherLeavesTogether(t *testing.T) {
	set := twice(rand.New(rand.NewPCG(3, 4)))
	bare, numbered, grouped := *set, *set, *set
	bare.IDs, numbered.IDs, grouped.IDs = nil, nil, nil
	of := make([]int32, len(set.Y))
	for i := range of {
		of[i] = int32(i % 15) // as their names
	}
	grouped.Groups = data.NewPartition(of, 15)
	x := data.NewDense(30, 5, nil)
	for i := range 30 {
		copy(x.Row(i), append(slices.Clone(set.X.(*data.Dense).Row(i)), float64(i%15)))
	}
	numbered.X, numbered.Names = x, []string{"a", "b", "c", "d", "subject_nr"}
	cells, refused := 0, 0
	for _, p := range heldOutPaths() {
		tell := func(law string, heard []event.Code, err error) { t.Errorf("%s: %s: %v, %v", p.name, law, heard, err) }
		if heard, err := p.run(&bare, false); refusedElse(err) {
			refused++
			continue
		} else if err != nil || !slices.Contains(heard, codes.NoteRepeatedRows) {
			tell("equal rows", heard, err)
		}
		if heard, err := p.run(set, false); codeOf(err) != codes.FaultRepeatedIDs && !p.train {
			tell("names", heard, err)
		}
		if heard, err := p.run(set, true); err != nil || !slices.Contains(heard, codes.NoteRepeatedIDs) && !p.train {
			tell("names, insisting", heard, err)
		}
		if heard, err := p.run(&numbered, false); codeOf(err) != codes.FaultSubject && !p.matrix {
			tell("numbers", heard, err)
		}
		heard, err := p.run(&grouped, false)
		told := slices.Contains(heard, codes.NoteRepeatedRows) || slices.Contains(heard, codes.NoteRepeatedIDs)
		if err != nil && !refusedElse(err) || told && !p.train {
			tell("groups", heard, err)
		}
		cells += 5
	}
	t.Logf("%d cells, and %d paths that are refused", cells, refused)
	if cells < 200 {
		t.Errorf("only %d cells", cells)
	}
}

// Equal queries are told where one is held out, equal rows of a query are not, and folds that cut a query are an error.
func TestEqualQueries(t *testing.T) {
	set := twice(rand.New(rand.NewPCG(5, 6)))
	of := make([]int32, 30)
	for i := range of {
		of[i] = int32(i / 5)
	}
	set.Queries, set.HasQID, set.IDs = data.NewPartition(of, 6), true, nil
	for _, p := range heldOutPaths() {
		if p.train || p.plan.Method != nil && p.plan.Method.Kind != cv.KFold {
			continue
		}
		heard, err := p.run(set, false)
		if err != nil || !slices.Contains(heard, codes.NoteRepeatedQuery) || slices.Contains(heard, codes.NoteRepeatedRows) {
			t.Errorf("%s: %v, %v", p.name, heard, err)
		}
	}
	apart := *set
	apart.Folds = data.NewPartition(func() []int32 {
		fold := make([]int32, 30)
		for i := range fold {
			fold[i] = int32(i % 2)
		}
		return fold
	}(), 2)
	if _, err := Estimate(context.Background(), Problem{Set: &apart}, EstimateOptions{}); err == nil {
		t.Error("folds cut queries")
	}
}
