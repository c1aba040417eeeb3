package main

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"

	"pairrank/internal/fault"
	"pairrank/relation"
)

// relationFlag is what the fields of the options and of the problem are called here.
var relationFlag = map[string]string{
	"Learner": "learner", "Loss": "loss", "Relation": "relation", "Kernel": "pair-kernel", "Solver": "solver",
	"Lambda": "lambda", "Lambdas": "lambdas", "LambdaCols": "lambda-cols", "Setting": "setting", "Sample": "pairs-sample", "Metric": "metric",
	"Tolerance": "tolerance", "MaxIterations": "max-iterations", "EarlyStop": "early-stop", "Patience": "patience",
	"Symmetrize": "symmetrize", "PSD": "psd-fix", "Nested": "nested", "Permutations": "permutations", "Intervals": "interval",
	"Cols": "cols", "Rows.Kernel": "row-kernel",
}

// relationHint is the way out of a fault.
var relationHint = map[fault.Code]string{
	relation.FaultAsymmetric:   "--symmetrize takes their mean",
	relation.FaultIndefinite:   "--psd-fix clip or shift mends it",
	relation.FaultNotPSD:       "--psd-fix clip or shift mends a similarity matrix",
	relation.FaultMemory:       "--solver primal trains linear kernels on the features, for one λ: --lambda F",
	relation.FaultNotExact:     "--method kfold:5 trains each fold again",
	relation.FaultNoClosedForm: "--solver cg learns it",
	relation.FaultOpenFolds:    "--method loo is exact; --solver cg trains each fold",
	relation.FaultMirrorFolds:  "--solver cg trains each fold",
	relation.FaultNumerical:    "take larger values of λ, or divide the features by their size; linear kernels on many edges are best learnt by --solver primal",
	relation.FaultOverflow:     "bring the features to a usual size, in training too: train --normalize zscore does it for both",
}

// field is a field of the options or of the problem in a text of the library.
var field = regexp.MustCompile(`\b(?:Options|Problem)\.([A-Z]\w*(?:\.[A-Z]\w*)?)`)

// flagged is a text of the library with flags for fields.
func flagged(text string) string {
	return field.ReplaceAllStringFunc(text, func(name string) string {
		_, name, _ = strings.Cut(name, ".")
		if flag := relationFlag[name]; flag != "" {
			return "--" + flag
		}
		return name
	})
}

// flaggedError is an error of the library in the words of the command line.
type flaggedError struct {
	error
	text string
}

func (e flaggedError) Error() string { return e.text }
func (e flaggedError) Unwrap() error { return e.error }

// fault gives an error of the library its kind, and its way out.
func (p *relationPlan) fault(err error) error {
	var f *relation.Error
	if !errors.As(err, &f) {
		return err
	}
	text := err.Error()
	if f.Option != "" {
		text = strings.Replace(text, "option "+f.Option+":", "--"+relationFlag[f.Option], 1)
	}
	err = flaggedError{err, flagged(text)}
	switch f.Kind {
	case relation.Use:
		err = asUsage(err)
	case relation.Data:
		err = asData(err)
	case relation.Numerical:
		err = asNumerical(err)
	}
	hint := relationHint[f.Code]
	if hint == "" {
		return err
	}
	if f.Code == relation.FaultNotExact && !p.estimates {
		hint = strings.Replace(hint, "--method", "--select", 1)
	}
	return withHint(err, "%s", hint)
}

// monitor shows the progress of the library, and says its notes; after an interruption
// it does neither. end takes away what is still shown.
func (a *app) monitor() (m relation.Monitor, end func()) {
	ctx := a.Ctx
	var mu sync.Mutex
	meters := map[string]*meter{}
	end = func() {
		mu.Lock()
		defer mu.Unlock()
		for task, m := range meters {
			m.End()
			delete(meters, task)
		}
	}
	return relation.Monitor{
		Note: func(n relation.Note) {
			if errors.Is(ctx.Err(), context.Canceled) {
				return
			}
			if n.Warning {
				a.warn("%s", flagged(n.String()))
			} else {
				a.note("%s", flagged(n.String()))
			}
		},
		Progress: func(p relation.Progress) {
			mu.Lock()
			defer mu.Unlock()
			m := meters[p.Task]
			switch {
			case m == nil && (p.Ended || ctx.Err() != nil):
				return
			case m == nil:
				m = a.progress(p.Task, p.Total)
				meters[p.Task] = m
			case p.Ended:
				m.End()
				delete(meters, p.Task)
				return
			}
			m.SetTotal(p.Total)
			m.Set(p.Done)
			if p.State != nil {
				m.Describe(p.State, p.Text)
			}
		},
	}, end
}
