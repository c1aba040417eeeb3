package foreign

import (
	"fmt"
	"slices"
	"strings"

	"pairrank/internal/modelfile"
	"pairrank/model"
)

// solvers of LIBLINEAR and its ranking extension by kind of model: one weight vector that
// classifies by sign, or one that scores.
var (
	classifiers = strings.Fields("L2R_LR L2R_L2LOSS_SVC_DUAL L2R_L2LOSS_SVC L2R_L1LOSS_SVC_DUAL L1R_L2LOSS_SVC " +
		"L1R_LR L2R_LR_DUAL")
	scorers = strings.Fields("L2R_L2LOSS_SVR L2R_L2LOSS_SVR_DUAL L2R_L1LOSS_SVR_DUAL L2R_L2LOSS_RANKSVM")
)

// liblinearHeader is the lines "key value" above the weights.
type liblinearHeader struct {
	solver            string
	classes, features int
	labels            []string
	bias              float64
}

// liblinear reads the output of save_model: for two classes w·x > 0 means the first label.
func (in *reader) liblinear() (*model.Model, []string, error) {
	h, err := in.liblinearHeader()
	if err != nil {
		return nil, nil, err
	}
	sign, err := h.check()
	if err != nil {
		return nil, nil, err
	}
	weights := []float64{} // as many as there are lines, whatever the header says
	for range h.features {
		w, err := in.weight()
		if err != nil {
			return nil, nil, err
		}
		weights = append(weights, sign*w)
	}
	constant := 0.0
	if h.bias >= 0 {
		w, err := in.weight()
		if err != nil {
			return nil, nil, err
		}
		if constant = sign * w * h.bias; modelfile.NotFinite(constant) {
			return nil, nil, fmt.Errorf("the bias %g overflows with its weight %g", h.bias, w)
		}
	}
	return linear(weights, "liblinear "+h.solver), constantNote(constant), nil
}

// weight reads the one number of a line.
func (in *reader) weight() (float64, error) {
	text, err := in.need()
	if err != nil {
		return 0, err
	}
	return modelfile.ParseNumber(strings.TrimSpace(text))
}

// liblinearHeader reads the lines up to "w".
func (in *reader) liblinearHeader() (*liblinearHeader, error) {
	h := &liblinearHeader{features: -1, bias: -1}
	seen := map[string]bool{}
	for {
		text, err := in.need()
		if err != nil {
			return nil, err
		}
		key, value, _ := strings.Cut(strings.TrimSpace(text), " ")
		if len(seen) == 0 && key != "solver_type" {
			return nil, fmt.Errorf("this is no model of LIBLINEAR: it begins with %q, not with solver_type",
				modelfile.Clip(text))
		}
		if seen[key] {
			return nil, fmt.Errorf("%s appears twice", modelfile.Clip(key))
		}
		seen[key] = true
		switch key {
		case "solver_type":
			h.solver = value
		case "nr_class":
			h.classes, err = modelfile.ParseCount(value)
		case "nr_feature":
			h.features, err = modelfile.ParseCount(value)
		case "bias":
			h.bias, err = modelfile.ParseNumber(value)
		case "label":
			h.labels = strings.Fields(value)
		case "w":
			return h, h.complete(seen)
		default:
			err = unknown{fmt.Errorf("unknown entry %q", modelfile.Clip(key)),
				"supported: two-class classifiers, regression and ranking"}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", modelfile.Clip(key), err)
		}
	}
}

func (h *liblinearHeader) complete(seen map[string]bool) error {
	for _, key := range []string{"nr_class", "nr_feature", "bias"} {
		if !seen[key] {
			return fmt.Errorf("there is no %s", key)
		}
	}
	return nil
}

// check returns the sign with which a better row has the higher score.
func (h *liblinearHeader) check() (sign float64, err error) {
	if slices.Contains(scorers, h.solver) {
		if h.labels != nil {
			return 0, fmt.Errorf("labels for the solver %s, which has none", h.solver)
		}
		return 1, nil
	}
	if !slices.Contains(classifiers, h.solver) {
		return 0, unknown{fmt.Errorf("the model of solver %q is not one weight vector", modelfile.Clip(h.solver)),
			"supported: " + strings.Join(slices.Concat(scorers, classifiers), ", ")}
	}
	if h.classes != 2 || len(h.labels) != 2 {
		return 0, unknown{fmt.Errorf("a classifier of %d classes with %d labels does not have exactly one score",
			h.classes, len(h.labels)), "train with two classes, or with regression"}
	}
	var label [2]float64
	for k, text := range h.labels {
		if label[k], err = modelfile.ParseNumber(text); err != nil {
			return 0, err
		}
	}
	switch {
	case label[0] > label[1]:
		return 1, nil
	case label[0] < label[1]: // the score is that of the lesser label
		return -1, nil
	}
	return 0, fmt.Errorf("both labels are %g", label[0])
}
