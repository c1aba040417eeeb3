package pairrank

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/eval/stability"
	"pairrank/internal/learn/greedy"
	"pairrank/internal/rows"
	"pairrank/pref"
)

// Greedy is LeastSquares on a few features, selected step by step by the held-out error: Greedy RankRLS (Pahikkala,
// Airola, Naula and Salakoski 2010), and with Regression greedy RLS (Pahikkala, Airola and Salakoski 2010). λ and the
// number of features are chosen together by the method of holding out, which selects anew for each test set, so that
// the error is one of rows that the selection did not see. The model is a linear model whose other weights are 0. A
// search of k steps over m rows and n features costs O(kmn) by leave-query-out and leave-one-out, and O(kmn + kn·pairs)
// by leave-pair-out, for each λ and each test set; see package internal/learn/greedy.
//
// The criterion of the search does not choose λ or the number of features, though that would be thirty times cheaper,
// since it saw the rows that it judges. For one λ and five of 2,000 genes (colon, Alon and others 1999) it is 0.017,
// and the error of pairs that had no part in the selection 0.150. One search has the best sets of all numbers.
//
// It needs the labels of the Set and the linear kernel, and compares all pairs within queries, tied ones too. It does
// not take Importance. Each permutation of the labels is estimated anew, and an ROC curve trains without each pair that
// it compares.
type Greedy struct {
	// Regression fits the label of each row instead of the differences of pairs.
	Regression bool
	// Weight is the total weight of the pairs of a query; "" is pref.Pairs. With Regression it is not used.
	Weight pref.Weight
	// Features is the number of selected features; 0 chooses among all numbers up to 30, or up to the features that
	// vary.
	Features int
	// OneSE takes the smallest number of features whose error is within one standard error of the least.
	OneSE bool
	// Search is the kind of steps; "" is greedy.Forward.
	Search greedy.Search
	// Criterion is what the search leaves out to judge a set of features; "" is greedy.Queries for several queries,
	// greedy.Pairs for a single list, and greedy.Rows with Regression.
	Criterion greedy.Criterion
	// Baseline are features, by their numbers from 0, that every model has. Their weights are not penalised.
	Baseline []int
}

// Name returns rankrls, or rls for regression.
func (g Greedy) Name() string { return rows.Greedy{Regression: g.Regression}.Name() }

func (g Greedy) rows() rows.Learner {
	return rows.Greedy{Regression: g.Regression, Weight: g.Weight, Features: g.Features, OneSE: g.OneSE,
		Search: g.Search, Criterion: g.Criterion, Baseline: g.Baseline}
}

// Selection compares the features that a Greedy learner selected from all rows with those of the rounds of holding
// out, each of which selected anew.
type Selection struct {
	*stability.Selection
	// Outer is how the rounds left rows out; its Kind is "" if nothing was held out. Nested reports whether the rounds
	// are those of the nested estimate, which chose λ and the number of features, too. Else they are those of the
	// chosen λ and number.
	Outer  cv.Method
	Nested bool
	// Criterion is what the search left out, and Error and Loss what it minimised, at the features selected from all
	// rows; see greedy.Set. Both are too low, since the features were selected by them.
	Criterion   greedy.Criterion
	Error, Loss float64
}

// Selection selects features from all rows with the chosen λ and number, and compares them with those of the rounds.
// It returns an error unless the learner is Greedy. It costs a training.
func (e *Estimated) Selection(ctx context.Context) (*Selection, error) {
	s, err := e.rows.Selection(ctx)
	return newSelection(s), err
}

// newSelection converts a selection, which may be nil.
func newSelection(s *rows.Selection) *Selection {
	if s == nil {
		return nil
	}
	return &Selection{s.Selection, s.Outer, s.Nested, s.Criterion, s.Error, s.Loss}
}
