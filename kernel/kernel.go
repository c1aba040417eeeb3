package kernel

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/numeral"
	"pairrank/internal/spell"
)

// Kernel is a positive semidefinite function of two rows of features (Schölkopf and
// Smola, Learning with kernels, 2002, section 2.2).
type Kernel interface {
	// MatrixTo fills dst, a's rows × b's rows, with k(a_i, b_j). With a == b
	// the result is exactly symmetric. It panics when the shapes do not fit.
	MatrixTo(dst *data.Dense, a, b data.Matrix)
	// String is the specification that Parse reads back.
	String() string
}

// Linear is ⟨x,z⟩.
type Linear struct{}

// Gaussian is exp(−γ‖x−z‖²), with γ > 0.
type Gaussian struct{ Gamma float64 }

// Polynomial is (γ⟨x,z⟩ + Coef0)^Degree, with γ > 0, Coef0 ≥ 0 and Degree ≥ 1,
// for which it is positive semidefinite.
type Polynomial struct {
	Gamma, Coef0 float64
	Degree       int
}

// Precomputed stands for a kernel matrix that is given, not computed from
// features.
type Precomputed struct{}

func (Linear) String() string      { return "linear" }
func (k Gaussian) String() string  { return "gaussian:gamma=" + shortest(k.Gamma) }
func (Precomputed) String() string { return "precomputed" }
func (k Polynomial) String() string {
	return fmt.Sprintf("polynomial:gamma=%s,coef0=%s,degree=%d", shortest(k.Gamma), shortest(k.Coef0), k.Degree)
}

// shortest is v in the fewest digits that read back exactly.
func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Matrix returns the kernel matrix of a's m rows with b's p rows, m×p: MatrixTo into new
// memory, at the cost of MatrixTo. It panics when the rows differ in their number of
// features, a or b does not fit, or k is Precomputed.
func Matrix(k Kernel, a, b data.Matrix) *data.Dense {
	data.Check("kernel: a", a)
	data.Check("kernel: b", b)
	m, _ := a.Dims()
	p, _ := b.Dims()
	dst := data.NewDense(m, p, nil)
	k.MatrixTo(dst, a, b)
	return dst
}

// family is a kernel by name, with its parameters and their defaults.
type family struct {
	name   string
	params []param
	make   func(v map[string]float64) (Kernel, error)
	read   func(rest string) (Kernel, error) // in the place of params, which are numbers
}

type param struct {
	name    string
	value   float64 // default; NaN when it must be given
	example string  // of one that must be given
}

var families = []family{
	{name: "linear", make: func(map[string]float64) (Kernel, error) { return Linear{}, nil }},
	{name: "gaussian", params: []param{{"gamma", math.NaN(), "0.5"}}, make: func(v map[string]float64) (Kernel, error) {
		if !(v["gamma"] > 0) || math.IsInf(v["gamma"], 0) {
			return nil, fmt.Errorf("gamma of a gaussian kernel is positive, not %v", v["gamma"])
		}
		return Gaussian{v["gamma"]}, nil
	}},
	{name: "polynomial", params: []param{{"gamma", 1, ""}, {"coef0", 0, ""}, {"degree", math.NaN(), "2"}},
		make: makePolynomial},
	{name: "clinical", make: func(map[string]float64) (Kernel, error) { return Clinical{}, nil }, read: parseClinical},
	{name: "fourier", params: []param{{"gamma", math.NaN(), "0.5"}, {"features", math.NaN(), "1000"},
		{"seed", math.NaN(), "1"}}, make: makeFourier},
	{name: "spline", params: []param{{"knots", 4, ""}, {"bends", 1, ""}}, make: makeSpline},
	{name: "precomputed", make: func(map[string]float64) (Kernel, error) { return Precomputed{}, nil }},
}

func makePolynomial(v map[string]float64) (Kernel, error) {
	gamma, coef0, degree := v["gamma"], v["coef0"], v["degree"]
	switch {
	case !(gamma > 0) || math.IsInf(gamma, 0):
		return nil, fmt.Errorf("gamma of a polynomial kernel is positive, not %v", gamma)
	case !(coef0 >= 0) || math.IsInf(coef0, 0):
		return nil, fmt.Errorf("coef0 of a polynomial kernel is 0 or more, not %v", coef0)
	case degree != math.Trunc(degree) || degree < 1 || degree > 64:
		return nil, fmt.Errorf("degree of a polynomial kernel is a whole number from 1 to 64, not %v", degree)
	}
	return Polynomial{gamma, coef0, int(degree)}, nil
}

// Parse reads a specification such as gaussian:gamma=2^-3; numbers may be written as
// powers. It returns an error for a kernel or parameter that is not known, which lists
// the known ones, for a parameter out of range, and for a grid of several kernels.
func Parse(spec string) (Kernel, error) {
	kernels, err := ParseGrid(spec)
	if err != nil {
		return nil, err
	}
	if len(kernels) > 1 {
		return nil, fmt.Errorf("%q is a grid of %d kernels: give a single kernel", spec, len(kernels))
	}
	return kernels[0], nil
}

// ParseGrid reads a specification whose parameters may be geometric grids LO:HI:N, as in
// gaussian:gamma=2^-10:2^4:15, and returns every combination, the last parameter changing
// fastest. A sum of kernels is a+b+c, or with given weights 0.4*a+0.6*b. ParseGrid returns an error where Parse does,
// and for more than 10,000 kernels.
func ParseGrid(spec string) ([]Kernel, error) {
	if isSum(spec) {
		return parseSum(spec)
	}
	return parseSingle(spec)
}

// parseSingle is ParseGrid of a kernel that is no sum.
func parseSingle(spec string) ([]Kernel, error) {
	name, rest, has := strings.Cut(spec, ":")
	at := slices.IndexFunc(families, func(f family) bool { return f.name == name })
	if at < 0 {
		names := make([]string, len(families))
		for i, f := range families {
			names[i] = f.name
		}
		meant := ""
		if near := spell.Nearest(name, names); near != "" {
			meant = "did you mean " + near + "? "
		}
		return nil, fmt.Errorf("unknown kernel %q: %sknown are linear, gaussian:gamma=G, "+
			"polynomial:gamma=G,coef0=C,degree=D, clinical, fourier:gamma=G,features=D,seed=S, "+
			"spline:knots=K,bends=B,in=NAME=K, precomputed, and sums such as linear+gaussian:gamma=G", name, meant)
	}
	f := families[at]
	if has && f.read != nil {
		k, err := f.read(rest)
		return []Kernel{k}, err
	}
	if f.name == "spline" && has {
		return f.splines(spec, rest)
	}
	return f.grid(spec, rest, has)
}

// grid are the kernels of all combinations of the parameters in rest, if it has some.
func (f family) grid(spec, rest string, has bool) ([]Kernel, error) {
	values := map[string][]float64{}
	if has {
		for field := range strings.SplitSeq(rest, ",") {
			if err := f.parameter(values, field); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range f.params {
		if _, ok := values[p.name]; ok {
			continue
		}
		if math.IsNaN(p.value) {
			return nil, fmt.Errorf("kernel %s needs %s, as in %s:%s=%s", f.name, p.name, f.name, p.name, p.example)
		}
		values[p.name] = []float64{p.value}
	}
	count := 1
	for _, p := range f.params {
		if count *= len(values[p.name]); count > numeral.MaxGrid {
			return nil, fmt.Errorf("more than %d kernels in %q", numeral.MaxGrid, spec)
		}
	}
	return f.combine(values, map[string]float64{}, 0)
}

// combine makes the kernels of all combinations of the values from parameter
// at on.
func (f family) combine(values map[string][]float64, chosen map[string]float64, at int) ([]Kernel, error) {
	if at == len(f.params) {
		k, err := f.make(chosen)
		return []Kernel{k}, err
	}
	var out []Kernel
	for _, v := range values[f.params[at].name] {
		chosen[f.params[at].name] = v
		some, err := f.combine(values, chosen, at+1)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

func (f family) parameter(values map[string][]float64, field string) error {
	key, text, ok := strings.Cut(field, "=")
	if !ok || !slices.ContainsFunc(f.params, func(p param) bool { return p.name == key }) {
		names := make([]string, len(f.params))
		for i, p := range f.params {
			names[i] = p.name
		}
		if len(names) == 0 {
			return fmt.Errorf("kernel %s has no parameters, not %q", f.name, field)
		}
		return fmt.Errorf("kernel %s has no parameter %q, only %s", f.name, key, strings.Join(names, ", "))
	}
	if _, twice := values[key]; twice {
		return fmt.Errorf("kernel %s has %s twice", f.name, key)
	}
	v, err := numeral.ParseGrid(text)
	if err != nil {
		return fmt.Errorf("kernel %s, %s: %w", f.name, key, err)
	}
	values[key] = v
	return nil
}
