package spell

import (
	"slices"
	"strings"
	"sync"
)

// Nearest returns the known name that a word probably means: its synonym from other tools, else a
// name within two edits, else the first name that begins with the word; "" when there.
func Nearest(word string, known []string) string {
	for _, name := range synonyms()[plain(word)] {
		if slices.Contains(known, name) {
			return name
		}
	}
	best, least := "", 3 // farther than two edits is no misspelling
	for _, name := range known {
		if d := distance(word, name); d < least && d < len(name) {
			best, least = name, d
		}
	}
	if best != "" || len(word) < 2 {
		return best
	}
	for _, name := range known {
		if strings.HasPrefix(name, word) {
			return name
		}
	}
	return ""
}

// plain is a word in lower case, with hyphens between its parts.
func plain(word string) string { return strings.ReplaceAll(strings.ToLower(word), "_", "-") }

// Synonyms returns the words that Nearest knows for names of this program, each with its meanings;
// the first one that fits the place of the word counts.
func Synonyms() map[string][]string { return synonyms() }

// synonyms are names of other tools and of papers, in lower case, by our words. An ambiguous word
// has a meaning for each kind. The map is inverted at the first lookup, which few runs need.
var synonyms = sync.OnceValue(func() map[string][]string { return turned(words) })

// words are the synonyms of each name.
var words = map[string]string{
	// kernels
	"gaussian":    "rbf rbf-kernel radial radial-basis gauss normal",
	"polynomial":  "poly polynom quadratic cubic",
	"linear":      "lin dot inner-product",
	"precomputed": "custom matrix given",

	// learners
	"ranksvm":   "svmrank svm-rank rank-svm ranking-svm svm prsvm treersvm",
	"rankrls":   "rank-rls ranking-rls rlsrank global-rankrls query-rankrls rlscore",
	"rls":       "ridge krr ridge-regression kernel-ridge regression least-squares",
	"rankboost": "boost boosting rank-boost",
	"two-step":  "twostep two-step-rls",

	// losses and solvers
	"squared-hinge": "l2-hinge l2 hinge2 l2-svm l2-loss",
	"hinge":         "l1-hinge l1 l1-svm l1-loss",
	"cg":            "conjugate-gradient conjugate-gradients minres iterative",
	"sparse":        "nystrom nystroem subset subset-of-regressors reduced-set",
	"closed":        "closed-form exact",

	// what is held out
	"loo":     "leave-one-out loocv jackknife",
	"lpo":     "leave-pair-out lpocv leave-two-out",
	"lqo":     "leave-query-out lqocv leave-group-out logo",
	"kfold:K": "kfold k-fold kfolds folds fold cv crossval cross-validation",

	// metrics
	"map":          "average-precision ap avgprec mean-average-precision averageprecision",
	"p":            "precision prec precision-at",
	"recall":       "rec sensitivity tpr recall-at hit-rate",
	"mrr":          "rr reciprocal-rank mean-reciprocal-rank recip",
	"err":          "expected-reciprocal-rank",
	"tau-b":        "tau kendall kendall-tau kendalltau kendalls-tau",
	"auc":          "roc-auc auroc auc-roc roc rocauc",
	"c-index":      "cindex harrell",
	"uno-c":        "uno concordance-index-ipcw",
	"time-auc":     "td-auc dynamic-auc cumulative-dynamic-auc timeroc",
	"concordance":  "concordance-index ci",
	"disagreement": "error pairwise-error pair-error misordered swapped-pairs zero-one",
	"ndcg":         "ndcg-cut normalized-dcg",

	// normalisation and formats
	"zscore":       "standard standardize standardise z-score standardization",
	"minmax":       "min-max scale rescale unit-range",
	"query-minmax": "query-min-max per-query query-level letor-normalization",
	"svmlight":     "svmrank libsvm letor svm-light lightsvm text txt ranklib",

	// verbs
	"train":    "fit learn training",
	"predict":  "score apply classify test infer",
	"cv":       "crossval cross-validate cross-validation crossvalidate validate",
	"evaluate": "measure metric metrics",
	"inspect":  "show info describe dump print",
	"check":    "lint verify",
	"synth":    "generate simulate make-data",
	"compare":  "diff significance ttest t-test",

	// flags
	"lambda":    "alpha regularization regularisation regparam reg ridge c",
	"lambdas":   "alphas regparams grid",
	"select":    "folds cv kfold selection",
	"method":    "folds cv kfold",
	"seed":      "random-state random-seed",
	"threads":   "jobs n-jobs njobs workers cores",
	"valid":     "vali validation validation-file validate val dev",
	"normalize": "standardize standardise scale norm",
	"output":    "out model-file",
	"rounds":    "trees n-estimators estimators",
}

// turned has for every synonym the names it may mean, in alphabetical order.
func turned(names map[string]string) map[string][]string {
	out := map[string][]string{}
	for name, words := range names {
		for word := range strings.FieldsSeq(words) {
			out[word] = append(out[word], name)
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}
