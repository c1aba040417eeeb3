package pairrank

import (
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/internal/fault"
	"pairrank/internal/parallel"
	"pairrank/internal/rows"
)

// prepareFeatures sets the rows to learn from: features, not normalised yet, or a kernel matrix. It changes a
// copy, unless Options.InPlace allows it to change the original.
func (t *trainer) prepareFeatures() error {
	if k := t.problem.Kernel; k != nil {
		t.given = k
		if !t.o.InPlace {
			t.given = k.Clone()
		}
		return symmetric(t.given)
	}
	set := t.problem.Set
	t.x = set.X
	_, n := t.x.Dims()
	if err := t.checkWidth(); err != nil {
		return err
	}
	if n == 0 {
		return fault.Dataf("the data has no features, so every row gets the same score")
	}
	if i, v := data.FirstNotFinite(t.x); i >= 0 {
		return fault.Dataf("%s has a feature that is %v", set.Called(i), v)
	}
	return nil
}

// normalizeFeatures normalises the features if the options ask for it.
func (t *trainer) normalizeFeatures() error {
	if t.o.Normalize == data.NormalizeNone {
		return nil
	}
	norm, err := data.FitNormalizer(t.o.Normalize, t.problem.Set)
	if err != nil {
		return fault.As(fault.Data, "", err)
	}
	return t.normalize(norm)
}

// normalize maps the features of training, and those of rows for validation in the same way.
func (t *trainer) normalize(norm *data.Normalizer) error {
	set := t.problem.Set
	moved := *set
	if !t.o.InPlace {
		moved.X = data.Clone(set.X)
	}
	if err := norm.Apply(&moved); err != nil {
		return fault.As(fault.Data, "", err)
	}
	valid := t.valid
	if valid != nil {
		other := *valid
		if !t.o.InPlace {
			other.X = data.Clone(valid.X)
		}
		if err := norm.Apply(&other); err != nil {
			return fault.As(fault.Data, FaultValidation, err)
		}
		valid = &other
	}
	t.norm, t.sample = norm, t.withFeatures(moved.X, nil, valid)
	return nil
}

// symmetric refuses a matrix that is asymmetric beyond rounding, and removes the rounding.
func symmetric(k *data.Dense) error {
	largest, apart, at := 0.0, 0.0, [2]int{}
	for i := range k.Rows {
		row := k.Row(i)
		for j := range i {
			largest = max(largest, row[j], -row[j])
			if d := row[j] - k.Row(j)[i]; d > apart || -d > apart {
				apart, at = max(d, -d), [2]int{i + 1, j + 1}
			}
		}
		largest = max(largest, row[i], -row[i])
	}
	if apart > 1e-6*largest {
		return &fault.Error{Kind: fault.Data, Code: FaultAsymmetric,
			Err: fmt.Errorf("the kernel matrix is not symmetric: entries (%d,%d) and (%d,%d) differ by %.3g",
				at[0], at[1], at[1], at[0], apart)}
	}
	for i := range k.Rows {
		for j := range i {
			mean := (k.Row(i)[j] + k.Row(j)[i]) / 2
			k.Row(i)[j], k.Row(j)[i] = mean, mean
		}
	}
	return nil
}

// checkWidth refuses features if vectors of them do not fit into memory. It counts those that are made before a
// solver is chosen; the solver counts its vectors itself.
func (t *trainer) checkWidth() error {
	vectors := data.NormalizerVectors(t.o.Normalize, t.x)
	if t.problem.Set.Names != nil {
		vectors += 2
	}
	if _, sparse := t.x.(*data.CSR); sparse && !t.linear() {
		vectors += float64(parallel.Workers()) // each thread expands one row
	}
	return rows.CheckWidth(t.x, vectors)
}

// errZeroKernel reports a basis on which no function distinguishes rows.
var errZeroKernel = fault.As(fault.Data, "",
	errors.New("the kernel of the basis rows is 0 everywhere, so every row would get the same score"))
