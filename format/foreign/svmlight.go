package foreign

import (
	"fmt"
	"strings"

	"pairrank/data"
	"pairrank/internal/modelfile"
	"pairrank/kernel"
	"pairrank/model"
)

// svmHeader is the lines above the support vectors: a number, and a comment.
type svmHeader struct {
	kind             int     // of the kernel
	degree           int     // -d
	gamma, s, r      float64 // -g, -s, -r
	highest, vectors int     // index; the number of support vectors
	threshold        float64
	version          string
}

// svmlight reads the text of SVM-light: score = Σ_i α_i k(x_i, x) − b.
func (in *reader) svmlight() (*model.Model, []string, error) {
	h, err := in.svmHeader()
	if err != nil {
		return nil, nil, err
	}
	from := "svmrank SVM-light " + h.version
	notes := constantNote(0 - h.threshold)
	if h.kind == 0 {
		weights, err := in.sumOfVectors(h)
		if err != nil {
			return nil, nil, err
		}
		return linear(weights, from), notes, finite(weights)
	}
	k, err := h.kernel()
	if err != nil {
		return nil, nil, err
	}
	support := &data.CSR{Cols: h.highest, Ptr: []int{0}}
	var coef []float64
	err = in.vectors(h, func(alpha float64, index []int, value []float64) {
		for e, j := range index {
			support.Col, support.Val = append(support.Col, int32(j-1)), append(support.Val, value[e])
		}
		support.Rows++
		support.Ptr = append(support.Ptr, len(support.Val))
		coef = append(coef, alpha)
	})
	if err != nil {
		return nil, nil, err
	}
	return expansion(k, support, coef, from), notes, nil
}

const svmVersion = "SVM-light Version "

// svmHeader reads the lines above the support vectors.
func (in *reader) svmHeader() (*svmHeader, error) {
	first, err := in.need()
	if err != nil {
		return nil, err
	}
	h := &svmHeader{}
	version, is := strings.CutPrefix(first, svmVersion)
	if h.version = strings.TrimSpace(version); !is || !modelfile.IsKey(h.version) {
		return nil, fmt.Errorf("this is no model of SVMrank or SVM-light: it begins with %q, not with %q",
			modelfile.Clip(first), svmVersion+"V6.20")
	}
	whole := func(to *int) func(string) error {
		return func(text string) (err error) { *to, err = modelfile.ParseCount(text); return err }
	}
	number := func(to *float64) func(string) error {
		return func(text string) (err error) { *to, err = modelfile.ParseNumber(text); return err }
	}
	any := func(string) error { return nil }
	for _, line := range []struct {
		what string
		set  func(string) error
	}{
		{"the kernel type", whole(&h.kind)}, {"the kernel parameter -d", whole(&h.degree)},
		{"the kernel parameter -g", number(&h.gamma)},
		{"the kernel parameter -s", number(&h.s)}, {"the kernel parameter -r", number(&h.r)},
		{"the kernel parameter -u", any},
		{"the highest index of a feature", whole(&h.highest)}, {"the number of training documents", any},
		{"the number of support vectors plus 1", whole(&h.vectors)}, {"the threshold b", number(&h.threshold)},
	} {
		text, err := in.need()
		if err != nil {
			return nil, err
		}
		text, _, _ = strings.Cut(text, "#")
		if err := line.set(strings.TrimSpace(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", line.what, err)
		}
	}
	if h.highest > mostFeatures {
		return nil, fmt.Errorf("feature %d is beyond %d", h.highest, mostFeatures)
	}
	if h.vectors--; h.vectors < 0 {
		return nil, fmt.Errorf("the number of support vectors plus 1 is 0")
	}
	return h, nil
}

// kernel returns the kernel of the header: type 1 is (s⟨x,z⟩ + r)^d, type 2 exp(−g‖x−z‖²).
func (h *svmHeader) kernel() (kernel.Kernel, error) {
	help := "supported: linear (0), polynomial (1) and radial (2) kernels"
	switch {
	case h.kind == 1 && (h.degree < 1 || !(h.s > 0) || !(h.r >= 0)):
		return nil, unknown{fmt.Errorf("polynomial kernel (%g x + %g)^%d: the factor must be above 0, the constant "+
			"at least 0 and the degree at least 1", h.s, h.r, h.degree), ""}
	case h.kind == 1:
		return parsed(kernel.Polynomial{Gamma: h.s, Coef0: h.r, Degree: h.degree})
	case h.kind == 2 && !(h.gamma > 0):
		return nil, unknown{fmt.Errorf("radial kernel exp(-%g |x - z|^2): the factor must be above 0", h.gamma), ""}
	case h.kind == 2:
		return parsed(kernel.Gaussian{Gamma: h.gamma})
	case h.kind == 3:
		return nil, unknown{fmt.Errorf("the tanh kernel is not positive semidefinite and not supported"), help}
	}
	return nil, unknown{fmt.Errorf("kernel type %d is not supported", h.kind), help}
}

// parsed checks a kernel against the limits of kernel.Parse.
func parsed(k kernel.Kernel) (kernel.Kernel, error) { return kernel.Parse(k.String()) }

// sumOfVectors is Σ_i α_i x_i, all that a linear kernel needs.
func (in *reader) sumOfVectors(h *svmHeader) ([]float64, error) {
	weights := []float64{} // up to the last feature of any vector, whatever the header says
	err := in.vectors(h, func(alpha float64, index []int, value []float64) {
		if n := len(index); n > 0 && index[n-1] > len(weights) {
			weights = append(weights, make([]float64, index[n-1]-len(weights))...)
		}
		for e, j := range index {
			weights[j-1] += alpha * value[e]
		}
	})
	if err != nil {
		return nil, err
	}
	return append(weights, make([]float64, h.highest-len(weights))...), nil
}

// vectors reads the support vectors, "alpha [qid:name] index:value … #comment", and passes each to each.
// Indices ascend up to the highest.
func (in *reader) vectors(h *svmHeader, each func(alpha float64, index []int, value []float64)) error {
	var index []int
	var value []float64
	for range h.vectors {
		text, err := present(in.long())
		if err != nil {
			return err
		}
		text, _, _ = strings.Cut(text, "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			return fmt.Errorf("a support vector must begin with a number")
		}
		alpha, err := modelfile.ParseNumber(fields[0])
		if err != nil {
			return err
		}
		index, value = index[:0], value[:0]
		if len(fields) > 1 && strings.HasPrefix(fields[1], "qid:") { // of SVMrank; a score does not depend on it
			fields = fields[1:]
		}
		for _, field := range fields[1:] {
			j, v, err := pair(field)
			if err != nil {
				return err
			}
			if j > h.highest || len(index) > 0 && j <= index[len(index)-1] {
				return fmt.Errorf("feature %d: indices must ascend and be at most %d", j, h.highest)
			}
			index, value = append(index, j), append(value, v)
		}
		each(alpha, index, value)
	}
	return nil
}
