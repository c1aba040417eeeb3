package kernel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Clinical is the kernel of tables of mixed columns: the mean over V variables of
//
//	(r − |x_v − z_v|)/r           for a number, or ordered categories, of range r
//	1 where x_v = z_v, else 0     for a factor
//
// (Daemen and De Moor 2009, Development of a kernel function for clinical data; Daemen, Timmerman, Van den Bosch and
// others 2012, Improved modeling of clinical data with kernel methods). Rows have their numbers divided by r already,
// as a data.Normalizer of kind minmax maps those of training to [0,1]. A value beyond is taken at the nearer end, so
// that the kernel is within [0,1] and positive semidefinite for all rows: 1 − |x − z| on [0,1] is, and so is equality.
type Clinical struct {
	// Variables is V. 0 stands for each factor and each feature outside of Factors; training leaves out those that are
	// constant.
	Variables int
	// Factors are the features of each factor, FIRST-LAST from 1, ascending, with + between factors: 2-3+6-9. The level
	// of a row is the first of its features that is not 0. Rows without one are equal in the factor, and differ from
	// others.
	Factors string
}

// String is clinical:variables=V,factors=F, without what is zero.
func (k Clinical) String() string {
	s := "clinical:"
	if k.Variables != 0 {
		s += fmt.Sprintf("variables=%d,", k.Variables)
	}
	if k.Factors != "" {
		s += "factors=" + k.Factors
	}
	return strings.TrimRight(s, ":,")
}

// parseClinical reads what follows the name.
func parseClinical(rest string) (Kernel, error) {
	k := Clinical{}
	variables, factors, _ := strings.Cut(rest, "factors=")
	_, _ = fmt.Sscanf(variables, "variables=%d", &k.Variables) // what it cannot read is no String
	if k.Factors = factors; k.Variables > math.MaxInt32 || "clinical:"+rest != k.String() {
		return nil, fmt.Errorf("a clinical kernel is clinical:variables=V,factors=FIRST-LAST+FIRST-LAST, each of which may "+
			"be left out, not clinical:%s", rest)
	}
	_, _, err := k.WithFactors(math.MaxInt32)
	return k, err
}

// spans are the features of each factor, first and last from 0, or an error for Factors of another form.
func (k Clinical) spans() (spans [][2]int, err error) {
	for text := range strings.SplitSeq(k.Factors, "+") {
		s := [2]int{}
		_, _ = fmt.Sscanf(text, "%d-%d", &s[0], &s[1])
		s[0]--
		s[1]--
		switch n := len(spans); {
		case k.Factors == "":
			return nil, nil
		case s[0] < 0 || s[1] < s[0] || spanText(s) != text:
			return nil, fmt.Errorf("factors of a clinical kernel are FIRST-LAST, features from 1, not %q", text)
		case n > 0 && s[0] <= spans[n-1][1]:
			return nil, fmt.Errorf("factors of a clinical kernel ascend, and %s does not follow %s", text,
				spanText(spans[n-1]))
		}
		spans = append(spans, s)
	}
	return spans, nil
}

func spanText(s [2]int) string { return fmt.Sprintf("%d-%d", s[0]+1, s[1]+1) }

// WithFactors returns k, of n features, with further factors, the first and last feature of each from 0, and all that
// it has then. A factor that k has already is no second one. It returns an error for factors that overlap or go beyond
// the features, and for a kernel that is none.
func (k Clinical) WithFactors(n int, more ...[2]int) (Clinical, [][2]int, error) {
	spans, err := k.spans()
	if err != nil {
		return k, nil, err
	}
	spans = append(spans, more...)
	slices.SortFunc(spans, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	spans = slices.Compact(spans)
	texts := make([]string, len(spans))
	for i, s := range spans {
		texts[i] = spanText(s)
	}
	k.Factors = strings.Join(texts, "+")
	last := len(spans) - 1
	switch _, err = k.spans(); {
	case err != nil:
	case k.Variables < 0:
		err = fmt.Errorf("a clinical kernel has at least one variable, not %d", k.Variables)
	case last >= 0 && spans[last][1] >= n:
		err = fmt.Errorf("a clinical kernel has the factor %s, and there are %d features", texts[last], n)
	}
	return k, spans, err
}

// MatrixTo fills dst, m×p, in mp operations for each number and factor and a copy of the rows, sparse ones too, in
// dense form. With a == b it computes one triangle and mirrors it. It runs on all cores. It panics when the shapes do
// not fit, or WithFactors of the features returns an error.
func (k Clinical) MatrixTo(dst *data.Dense, a, b data.Matrix) {
	if check(dst, a, b); a == b {
		k.upperTo(dst, a)
		linalg.Symmetrize(linalg.Upper, linalg.Mat(*dst))
		return
	}
	newClinicalRows(k, b).matrixTo(dst, newClinicalRows(k, a), false)
}

func (k Clinical) upperTo(dst *data.Dense, x data.Matrix) {
	z := newClinicalRows(k, x)
	z.matrixTo(dst, z, true)
}

// clinicalRows are rows taken apart into numbers and levels.
type clinicalRows struct {
	at      []int   // the features that are numbers
	factor  []int32 // of each feature its factor, -1 for a number
	share   float64 // 1/V
	numbers *data.Dense
	levels  []int32 // of each row: of each factor the number of the first feature that is not 0, from 1, or 0
	factors int
}

func newClinicalRows(k Clinical, x data.Matrix) *clinicalRows {
	m, n := x.Dims()
	_, spans, err := k.WithFactors(n)
	if err != nil {
		panic("kernel: " + err.Error())
	}
	r := &clinicalRows{factor: slices.Repeat([]int32{-1}, n), factors: len(spans)}
	for f, s := range spans {
		for j := s[0]; j <= s[1]; j++ {
			r.factor[j] = int32(f)
		}
	}
	for j, f := range r.factor {
		if f < 0 {
			r.at = append(r.at, j)
		}
	}
	variables := k.Variables
	if variables == 0 {
		variables = len(r.at) + r.factors
	}
	r.share = 1 / float64(variables)
	r.numbers, r.levels = data.NewDense(m, len(r.at), nil), make([]int32, m*r.factors)
	parallel.Chunks(m, 64, func(_, lo, hi int) {
		row := make([]float64, n)
		for i := lo; i < hi; i++ {
			x.RowTo(row, i)
			r.take(r.numbers.Row(i), r.levelsOf(i), row)
		}
	})
	return r
}

func (r *clinicalRows) levelsOf(i int) []int32 { return r.levels[i*r.factors : (i+1)*r.factors] }

// take sets the numbers and levels of a row x.
func (r *clinicalRows) take(numbers []float64, levels []int32, x []float64) {
	for c, j := range r.at {
		numbers[c] = min(max(x[j], 0), 1)
	}
	clear(levels)
	for j, f := range r.factor {
		if f >= 0 && levels[f] == 0 && x[j] != 0 {
			levels[f] = int32(j) + 1
		}
	}
}

// matrixTo fills dst with the values of rows x and the rows of r, or those on and above the diagonal.
func (r *clinicalRows) matrixTo(dst *data.Dense, x *clinicalRows, upper bool) {
	parallel.Chunks(dst.Rows, 16, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			first := 0
			if upper {
				first = i
			}
			r.rowTo(dst.Row(i), first, x.numbers.Row(i), x.levelsOf(i))
		}
	})
}

// rowTo sets dst_j, from first on, to 1 − (Σ |x − z_j| + the factors that differ)/V. Four rows are summed side by side,
// each in the order of the features.
func (r *clinicalRows) rowTo(dst []float64, first int, numbers []float64, levels []int32) {
	last := len(dst) - 1
	for j := first; j <= last; j += 4 {
		j1, j2, j3 := min(j+1, last), min(j+2, last), min(j+3, last)
		z0, z1, z2, z3 := r.numbers.Row(j), r.numbers.Row(j1), r.numbers.Row(j2), r.numbers.Row(j3)
		z0, z1, z2, z3 = z0[:len(numbers)], z1[:len(numbers)], z2[:len(numbers)], z3[:len(numbers)]
		s0, s1, s2, s3 := 0.0, 0.0, 0.0, 0.0
		for c, v := range numbers {
			s0 += math.Abs(v - z0[c])
			s1 += math.Abs(v - z1[c])
			s2 += math.Abs(v - z2[c])
			s3 += math.Abs(v - z3[c])
		}
		dst[j], dst[j1], dst[j2], dst[j3] = s0, s1, s2, s3
	}
	for j := first; j < len(dst); j++ {
		for f, level := range r.levelsOf(j) {
			if level != levels[f] {
				dst[j]++
			}
		}
		dst[j] = 1 - dst[j]*r.share
	}
}
