package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pairrank/fault"
	"pairrank/internal/modelfile"
	"pairrank/kernel"
	"pairrank/model"
)

// svm is a model file of SVM-light with a kernel and support vectors.
func svm(kind, highest, plus1, rest string) string {
	return "SVM-light Version V6.20\n" + kind +
		" # kernel type\n3 # kernel parameter -d \n0.5 # kernel parameter -g \n2 # kernel parameter -s \n1 # kernel " +
		"parameter -r \nempty# kernel parameter -u \n" +
		highest + " # highest feature index \n100 # number of training documents \n" + plus1 +
		" # number of support vectors plus 1 \n" + rest
}

const (
	compact = "0.25 # threshold b, each following line is a SV (starting with alpha*y)\n1 1:0.5 3:-2 #\n"
	several = "0 # threshold b, each following line is a SV (starting with alpha*y)\n0.5 1:1 2:1 " +
		"#qid\n-0.25 2:4 3:8 # \n"

	regression = "solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 2\nbias -1\nw\n0.5 \n-2 \n"
	ascent     = "## Coordinate Ascent\n## Restart = 5\n\n1:0.5 3:-2 # of RankLib\n"
)

func read(f Format, text string) (*model.Model, []string, error) {
	return Read(strings.NewReader(text), "m", f)
}

// Files score as their programs do: worked out by hand.
func TestReadScores(t *testing.T) {
	x := []float64{2, 3, 5}
	dot := func(z ...float64) float64 { return 2*z[0] + 3*z[1] + 5*z[2] }
	far := func(z ...float64) float64 {
		return (2-z[0])*(2-z[0]) + (3-z[1])*(3-z[1]) + (5-z[2])*(5-z[2])
	}
	for name, c := range map[string]struct {
		f     Format
		text  string
		x     []float64
		want  float64
		notes int
	}{
		"compact": {SVMrank, svm("0", "3", "2", compact), x, 0.5*2 - 2*5, 1},
		"several": {SVMrank, svm("0", "3", "3", several), x, 0.5*(2+3) - 0.25*(12+40), 0},
		"queries": {SVMrank, svm("0", "3", "3", "0.5 # threshold b\n2 qid:1 1:1 #\n-1 qid:2 2:1 #\n"), x, 2*2 - 3, 1},
		"polynomial": {SVMrank, svm("1", "3", "3", several), x,
			0.5*math.Pow(2*dot(1, 1, 0)+1, 3) - 0.25*math.Pow(2*dot(0, 4, 8)+1, 3), 0},
		"radial": {SVMrank, svm("2", "3", "3", several), x,
			0.5*math.Exp(-0.5*far(1, 1, 0)) - 0.25*math.Exp(-0.5*far(0, 4, 8)), 0},
		"none":       {SVMrank, svm("0", "3", "1", "0 # threshold b\n"), x, 0, 0},
		"regression": {LIBLINEAR, regression, x[:2], 0.5*2 - 2*3, 0},
		"bias": {LIBLINEAR, strings.Replace(regression, "bias -1", "bias 2", 1) + "7\n", x[:2],
			0.5*2 - 2*3, 1},
		"ranking": {LIBLINEAR, strings.Replace(regression, "L2R_L2LOSS_SVR", "L2R_L2LOSS_RANKSVM", 1), x[:2],
			0.5*2 - 2*3, 0},
		"first is better": {LIBLINEAR, strings.Replace(regression, "L2R_L2LOSS_SVR\nnr_class 2",
			"L2R_LR\nnr_class 2\nlabel 1 -1", 1), x[:2], 0.5*2 - 2*3, 0},
		"first is worse": {LIBLINEAR, strings.Replace(regression, "L2R_L2LOSS_SVR\nnr_class 2",
			"L2R_LR\nnr_class 2\nlabel -1 1", 1), x[:2], -(0.5*2 - 2*3), 0},
		"ascent":    {RankLib, ascent, x, 0.5*2 - 2*5, 0},
		"regressed": {RankLib, "## Linear Regression\n## Lambda = 1.0E-10\n0:0.5 1:0.5 3:-2", x, 0.5*2 - 2*5, 1},
		"boosted":   {RankLib, "## RankBoost\n## Iteration = 3\n1:1.5:4.0 2:3.0:1.0 3:4.9:0.5\n", x, 4 + 0.5, 0},
		"empty":     {RankLib, "## RankBoost\n#\n", []float64{}, 0, 0},
	} {
		m, notes, err := read(c.f, c.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m.Features() != len(c.x) || len(notes) != c.notes {
			t.Errorf("%s: %d features, want %d; notes %q", name, m.Features(), len(c.x), notes)
			continue
		}
		if got := m.ScoreRow(c.x); !(math.Abs(got-c.want) <= 1e-12*(1+math.Abs(c.want))) {
			t.Errorf("%s: score %v, want %v", name, got, c.want)
		}
		var b bytes.Buffer
		if err := m.Write(&b); err != nil {
			t.Errorf("%s is not written: %v", name, err)
		}
		if m.Info.Learner != "imported" || !strings.HasPrefix(m.Info.Further[0].Value, string(c.f)+" ") {
			t.Errorf("%s: facts %+v", name, m.Info)
		}
	}
}

// An error has the line of the fault.
func TestReadFaults(t *testing.T) {
	for name, c := range map[string]struct {
		f    Format
		text string
		want string
	}{
		"nothing":           {SVMrank, "", "m: the file is cut off"},
		"another file":      {SVMrank, "pairrank model 1\n", "m:1: this is no model of SVMrank"},
		"no version":        {SVMrank, "SVM-light Version \n", "m:1: this is no model"},
		"cut header":        {SVMrank, svm("0", "3", "2", "")[:60], "cut off"},
		"cut vectors":       {SVMrank, svm("0", "3", "3", compact), "m:12: the file is cut off"},
		"no vectors":        {SVMrank, svm("0", "3", "0", compact), "m:11: the number of support vectors plus 1 is 0"},
		"text for a number": {SVMrank, svm("x", "3", "2", compact), "m:2: the kernel type: not a whole number"},
		"beyond the highest": {SVMrank, svm("0", "2", "2", compact),
			"m:12: feature 3: indices must ascend and be at most 2"},
		"descending": {SVMrank, svm("0", "3", "2", "0 # b\n1 2:1 2:1\n"),
			"m:12: feature 2: indices must ascend"},
		"index 0": {SVMrank, svm("0", "3", "2", "0 # b\n1 0:1\n"),
			"m:12: a feature index must be a whole number from 1"},
		"no pair": {SVMrank, svm("0", "3", "2", "0 # b\n1 1\n"), `m:12: not index:value: "1"`},
		"no alpha": {SVMrank, svm("0", "3", "2", "0 # b\n# 1:1\n"),
			"m:12: a support vector must begin with a number"},
		"not finite": {SVMrank, svm("0", "3", "2", "0 # b\ninf 1:1\n"), "m:12: not a finite number"},
		"overflow": {SVMrank, svm("0", "3", "2", "0 # b\n1e300 1:1e300\n"),
			"the weight of feature 1 overflows"},
		"too many features": {SVMrank, svm("0", "99999999", "2", compact), "feature 99999999 is beyond 16777216"},
		"tanh":              {SVMrank, svm("3", "3", "2", compact), "the tanh kernel"},
		"own kernel":        {SVMrank, svm("4", "3", "2", compact), "kernel type 4 is not supported"},
		"more": {SVMrank, svm("0", "3", "2", compact+"\n1 1:1\n"),
			"m:14: text after the end of the model"},

		"no solver": {LIBLINEAR, "nr_class 2\n", "m:1: this is no model of LIBLINEAR"},
		"crammer": {LIBLINEAR, strings.Replace(regression, "L2R_L2LOSS_SVR", "MCSVM_CS", 1),
			`the model of solver "MCSVM_CS" is not one weight vector`},
		"three classes": {LIBLINEAR, strings.Replace(regression, "L2R_L2LOSS_SVR\nnr_class 2",
			"L2R_LR\nnr_class 3\nlabel 1 2 3", 1), "a classifier of 3 classes with 3 labels"},
		"the same labels": {LIBLINEAR, strings.Replace(regression, "L2R_L2LOSS_SVR\nnr_class 2",
			"L2R_LR\nnr_class 2\nlabel 1 1", 1), "both labels are 1"},
		"labels of scores": {LIBLINEAR, strings.Replace(regression, "nr_class 2", "nr_class 2\nlabel 1 2", 1),
			"which has none"},
		"rho": {LIBLINEAR, strings.Replace(regression, "w\n", "rho 1\nw\n", 1),
			`rho: unknown entry "rho"`},
		"twice": {LIBLINEAR, strings.Replace(regression, "bias -1", "bias -1\nbias -1", 1),
			"m:5: bias appears twice"},
		"no bias": {LIBLINEAR, strings.Replace(regression, "bias -1\n", "", 1), "there is no bias"},
		"fewer weights": {LIBLINEAR, strings.Replace(regression, "nr_feature 2", "nr_feature 2000000000", 1),
			"m:7: the file is cut off"},
		"two columns": {LIBLINEAR, strings.Replace(regression, "0.5 ", "0.5 1 ", 1), "m:6: not a finite number"},
		"a bias too large": {LIBLINEAR, strings.Replace(regression, "bias -1", "bias 1e308", 1) + "1e300\n",
			"the bias 1e+308 overflows with its weight 1e+300"},
		"a bias that lacks": {LIBLINEAR, strings.Replace(regression, "bias -1", "bias 1", 1), "the file is cut off"},

		"no learner":         {RankLib, "1:0.5\n", "m:1: this is no model of RankLib"},
		"trees":              {RankLib, "## LambdaMART\n<ensemble>\n", `m:1: models of "LambdaMART" are not supported`},
		"no line":            {RankLib, "## Coordinate Ascent\n## x\n", "the file is cut off"},
		"one feature twice":  {RankLib, "## Coordinate Ascent\n1:1 1:2\n", "m:2: feature 1 appears twice"},
		"index 0 of ascent":  {RankLib, "## Coordinate Ascent\n0:1 1:2\n", "a whole number from 1"},
		"far away":           {RankLib, "## Coordinate Ascent\n16777217:1\n", "is beyond"},
		"a step of two":      {RankLib, "## RankBoost\n1:1\n", "not index:threshold:weight"},
		"a step of infinity": {RankLib, "## RankBoost\n1:1:Infinity\n", "not a finite number"},
		"two models":         {RankLib, ascent + ascent, "m:5: text after the end of the model"},
	} {
		_, _, err := read(c.f, c.text)
		var format *fault.FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, _, err := read(SVMrank, svm("0", "3", "3", compact)); !errors.Is(err, modelfile.ErrTruncated) {
		t.Errorf("cut off: %v", err)
	}
	if _, _, err := read("svmrnk", ""); err == nil || !strings.Contains(err.Error(), "did you mean svmrank?") {
		t.Errorf("unknown format: %v", err)
	}
	if !slices.Equal(Formats(), []string{"svmrank", "liblinear", "ranklib"}) {
		t.Errorf("formats %v", Formats())
	}
}

// endless is zeros without a line end; read counts the bytes read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	clear(p)
	e.read += len(p)
	return len(p), nil
}

// A line that unpacks without end is refused after a megabyte; lines of many features are read.
func TestReadLongLines(t *testing.T) {
	for _, f := range []Format{SVMrank, LIBLINEAR, RankLib} {
		in := &endless{}
		_, _, err := Read(in, "m", f)
		var format *fault.FormatError
		if !errors.As(err, &format) || format.Line != 1 ||
			!strings.Contains(err.Error(), "the line is longer than 1048576 bytes") {
			t.Errorf("%s: %v", f, err)
		}
		if in.read > 2*longestLine {
			t.Errorf("%s: %d bytes were read", f, in.read)
		}
	}
	const n = 200_000
	var list strings.Builder
	for j := range n {
		fmt.Fprintf(&list, " %d:1", j+1)
	}
	if list.Len() <= longestLine {
		t.Fatal("the line is short")
	}
	for f, text := range map[Format]string{
		RankLib: "## Coordinate Ascent\n" + list.String() + "\n",
		SVMrank: svm("0", strconv.Itoa(n), "2", "0 # b\n1"+list.String()+"\n"),
	} {
		if m, _, err := read(f, text); err != nil || m.Features() != n {
			t.Errorf("%s: a long line is not read: %v", f, err)
		}
	}
}

// Kernels out of range are refused; kernels at the limits of kernel.Parse are read.
func TestSVMKernels(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(svm("1", "3", "2", compact), "3 # kernel parameter -d", "65 # d", 1): "from 1 to 64",
		strings.Replace(svm("1", "3", "2", compact), "2 # kernel parameter -s", "0 # s",
			1): "the factor must be above 0",
		strings.Replace(svm("1", "3", "2", compact), "1 # kernel parameter -r", "-1 # r",
			1): "the constant at least 0",
		strings.Replace(svm("2", "3", "2", compact), "0.5 # kernel parameter -g", "0 # g",
			1): "the factor must be above 0",
	} {
		if _, _, err := read(SVMrank, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	m, _, err := read(SVMrank, svm("1", "3", "3", several))
	if err != nil || m.Scorer.(*model.Kernel).Kernel != (kernel.Polynomial{Gamma: 2, Coef0: 1, Degree: 3}) {
		t.Errorf("kernel %v, %v", m, err)
	}
}

// failing is a reader that breaks.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken pipe") }

// An error of reading is none of the format.
func TestErrorOfReading(t *testing.T) {
	_, _, err := Read(failing{}, "m", RankLib)
	var format *fault.FormatError
	if err == nil || errors.As(err, &format) || err.Error() != "broken pipe" {
		t.Errorf("%v", err)
	}
}

// FuzzRead reads any text as every format: there is a model, which is written and read back, or
// an error with a name.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		svm("0", "3", "2", compact), svm("0", "3", "3", several), svm("1", "3", "3", several),
		svm("2", "3", "3", several), regression,
		strings.Replace(regression, "L2R_L2LOSS_SVR\nnr_class 2", "L2R_LR\nnr_class 2\nlabel -1 1", 1),
		strings.Replace(regression, "bias -1", "bias 2", 1) + "7\n",
		ascent, "## Linear Regression\n0:0.5 1:0.5 3:-2", "## RankBoost\n1:1.5:4.0 2:3.0:1.0 3:4.9:0.5\n", "",
		"SVM-light Version V6.20\n", "## \n", "solver_type \n", "\xfe\xff", "\xff\xfe",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range Formats() {
			m, _, err := read(Format(format), text)
			if err != nil {
				if m != nil || !strings.HasPrefix(err.Error(), "m:") {
					t.Errorf("%s: %v with %v", format, err, m)
				}
				continue
			}
			if m.Features() > 1000 {
				continue // a line for each feature
			}
			var b bytes.Buffer
			if err := m.Write(&b); err != nil {
				t.Fatalf("%s is not written: %v", format, err)
			}
			if _, err := model.Read(&b, "again"); err != nil {
				t.Errorf("%s is not read back: %v", format, err)
			}
		}
	})
}

// What a header claims takes no memory before the rest of the file bears it out.
func TestClaimsTakeNoMemory(t *testing.T) {
	for name, c := range map[string]struct {
		format Format
		text   string
	}{
		"features of SVM-light": {SVMrank, svm("0", "16777216", "3", compact)},
		"vectors of SVM-light":  {SVMrank, svm("2", "16777216", "2147483647", compact)},
		"features of LIBLINEAR": {LIBLINEAR, strings.Replace(regression, "nr_feature 2", "nr_feature 2147483647", 1)},
		"classes of LIBLINEAR":  {LIBLINEAR, strings.Replace(regression, "nr_class 2", "nr_class 2147483647", 1) + "x\n"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, _, err := read(c.format, c.text); err == nil {
			t.Errorf("%s: no error", name)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s: %d bytes for a file of %d", name, took, len(c.text))
		}
	}
}
