package export

import (
	"bufio"
	"io"
	"strconv"

	"pairrank/export/internal/plain"
	"pairrank/fault"
	"pairrank/model"
)

// ranklib writes a model of RankLib: Coordinate Ascent is Σ weight · feature, and RankBoost the
// same sum of steps as ours. Its other linear model, Linear Regression, is not written, since
// RankLib writes it differently than it reads it. To load a model RankLib needs only the name in
// the first line and the last line; those between describe its training.
func ranklib(w io.Writer, m *model.Model, o *Options) ([]string, error) {
	if inSteps(m, o) {
		return rankboost(w, m, o)
	}
	l, err := plain.NewLinear(string(RankLib), m)
	if err != nil {
		return nil, err
	}
	weights, constant, err := l.Fold()
	if err != nil {
		return nil, err
	}
	if len(weights) == 0 {
		return nil, &fault.RefusedError{Target: string(RankLib), What: "a model without features",
			Help: "train with features"}
	}
	b := bufio.NewWriter(w)
	b.WriteString("## Coordinate Ascent\n## Restart = 0\n## MaxIteration = 0\n## StepBase = 0.05\n## StepScale = " +
		"2.0\n## Tolerance = 0.001\n## Regularized = false\n## Slack = 0.001\n")
	for j, v := range weights {
		if j > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(j+1) + ":" + shortest(v))
	}
	b.WriteByte('\n')
	return append(constantNote(constant), ranklibNote), b.Flush()
}

const ranklibNote = "RankLib reads features in single precision: differences of rows past 7 digits are lost; score " +
	"without its -norm"

// rankboost writes the weak rankers of a model as steps.
func rankboost(w io.Writer, m *model.Model, o *Options) ([]string, error) {
	s, notes, err := stepped(RankLib, m, o)
	if err != nil {
		return nil, err
	}
	if len(s.Terms) == 0 {
		return nil, &fault.RefusedError{Target: string(RankLib), What: "a model without stumps",
			Help: "train for more rounds"}
	}
	b := bufio.NewWriter(w)
	b.WriteString("## RankBoost\n## Iteration = " + strconv.Itoa(len(s.Terms)) +
		"\n## No. of threshold candidates = 0\n")
	for k, t := range s.Terms {
		if k > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(t.Feature+1) + ":" + shortest(t.Threshold) + ":" + shortest(t.Weight))
	}
	b.WriteByte('\n')
	return append(notes, ranklibNote+"; steps between values that are equal there are lost, too"), b.Flush()
}

// svmrank writes the text of SVM-light, which SVMrank reads: score = Σ_i α_i ⟨x_i, x⟩ − b.
// Its programs hold the values of a support vector in single precision and the α in double,
// so there is one vector for each weight, α = w_j with a single 1 at feature j, and not one
// vector of all weights with α = 1.
func svmrank(w io.Writer, m *model.Model, _ *Options) ([]string, error) {
	l, err := plain.NewLinear(string(SVMrank), m)
	if err != nil {
		return nil, err
	}
	weights, constant, err := l.Fold()
	if err != nil {
		return nil, err
	}
	stored := 0
	for _, v := range weights {
		if v != 0 {
			stored++
		}
	}
	b := bufio.NewWriter(w)
	b.WriteString("SVM-light Version V6.20\n0 # kernel type\n3 # kernel parameter -d \n1 # kernel parameter -g \n1 " +
		"# kernel parameter -s \n1 # kernel parameter -r \nempty# kernel parameter -u \n")
	b.WriteString(strconv.Itoa(len(weights)) + " # highest feature index \n")
	b.WriteString(strconv.Itoa(m.Info.Rows) + " # number of training documents \n")
	b.WriteString(strconv.Itoa(stored+1) + " # number of support vectors plus 1 \n")
	b.WriteString(shortest(0-constant) + " # threshold b, each following line is a SV (starting with alpha*y)\n")
	for j, v := range weights {
		if v != 0 {
			b.WriteString(shortest(v) + " " + strconv.Itoa(j+1) + ":1 #\n")
		}
	}
	return []string{"SVMrank reads features in single precision: differences of rows past 7 digits are lost"}, b.Flush()
}

// liblinear writes a model file of LIBLINEAR as its save_model does, of the solver
// L2R_L2LOSS_SVR, whose prediction is w·x + w_{n+1} bias and which has no labels.
func liblinear(w io.Writer, m *model.Model, _ *Options) ([]string, error) {
	l, err := plain.NewLinear(string(LIBLINEAR), m)
	if err != nil {
		return nil, err
	}
	weights, constant, err := l.Fold()
	if err != nil {
		return nil, err
	}
	bias := "-1"
	if constant != 0 {
		bias = "1"
	}
	b := bufio.NewWriter(w)
	b.WriteString("solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature " + strconv.Itoa(len(weights)) + "\nbias " +
		bias + "\nw\n")
	for _, v := range weights {
		b.WriteString(shortest(v) + " \n")
	}
	if constant != 0 {
		b.WriteString(shortest(constant) + " \n")
	}
	return nil, b.Flush()
}
