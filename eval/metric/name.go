package metric

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pairrank/internal/spell"
)

// Metric is one measure of ranking quality, with its cut-off if it has one.
// Metrics are comparable with ==; the zero value is [Disagreement].
type Metric struct {
	kind kind
	k    int // the cut-off; 0: all positions, or the kind has none
}

type kind uint8

const (
	disagreement kind = iota
	pooledDisagreement
	disagreementError
	concordance
	auc
	pooledAUC
	tauB
	ndcg
	meanNDCG
	averagePrecision
	precision
	recall
	reciprocalRank
	expectedRank
	numKinds
)

// kindNames are the names without a cut-off, in the order they are listed.
var kindNames = [numKinds]string{
	disagreement:       "disagreement",
	pooledDisagreement: "pooled-disagreement",
	disagreementError:  "disagreement-error",
	concordance:        "concordance",
	auc:                "auc",
	pooledAUC:          "pooled-auc",
	tauB:               "tau-b",
	ndcg:               "ndcg",
	meanNDCG:           "mean-ndcg",
	averagePrecision:   "map",
	precision:          "p",
	recall:             "recall",
	reciprocalRank:     "mrr",
	expectedRank:       "err",
}

// The metrics without a cut-off; docs/metrics.md defines each.
var (
	// Disagreement is the mean over queries of the fraction of a query's
	// comparable pairs that are ordered wrongly, tied scores counting ½.
	Disagreement = Metric{kind: disagreement}
	// PooledDisagreement is that fraction of the comparable pairs of all queries.
	PooledDisagreement = Metric{kind: pooledDisagreement}
	// DisagreementError is the pooled fraction with a tied score a whole error,
	// sign(0) = −1 (Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg, An
	// efficient algorithm for learning to rank from preference graphs, Machine
	// Learning 75, 2009, equation 1).
	DisagreementError = Metric{kind: disagreementError}
	// Concordance is 1 − Disagreement.
	Concordance = Metric{kind: concordance}
	// AUC is the mean over queries of the area under the ROC curve.
	AUC = Metric{kind: auc}
	// PooledAUC is AUC over the pairs of all queries; pairs never cross queries.
	PooledAUC = Metric{kind: pooledAUC}
	// TauB is the mean over queries of Kendall's τ-b.
	TauB = Metric{kind: tauB}
	// NDCG is normalised discounted cumulative gain over the whole list.
	NDCG = Metric{kind: ndcg}
	// MeanNDCG is the mean of NDCG@1 … NDCG@m; the LETOR 4.0 script has it.
	MeanNDCG = Metric{kind: meanNDCG}
	// MAP is the mean over queries of average precision.
	MAP = Metric{kind: averagePrecision}
	// MRR is the mean over queries of the reciprocal rank of the first relevant
	// document.
	MRR = Metric{kind: reciprocalRank}
	// ERR is the mean over queries of the expected reciprocal rank, for labels
	// from 0 to 4.
	ERR = Metric{kind: expectedRank}
)

// NDCGAt is NDCG of the first k positions. It panics if k < 1.
func NDCGAt(k int) Metric { return cut(ndcg, k) }

// PrecisionAt is the fraction of relevant documents among the first k
// positions. It panics if k < 1.
func PrecisionAt(k int) Metric { return cut(precision, k) }

// RecallAt is the fraction of the relevant documents that are among the first k
// positions. It panics if k < 1.
func RecallAt(k int) Metric { return cut(recall, k) }

// ERRAt is ERR of the first k positions. It panics if k < 1.
func ERRAt(k int) Metric { return cut(expectedRank, k) }

func cut(kd kind, k int) Metric {
	if k < 1 {
		panic("metric: a cut-off must be at least 1")
	}
	return Metric{kd, k}
}

// String is the metric's name, which [Parse] reads back.
func (m Metric) String() string {
	if m.k > 0 {
		return kindNames[m.kind] + "@" + strconv.Itoa(m.k)
	}
	return kindNames[m.kind]
}

// Loss reports whether less is better: so it is for the disagreements.
func (m Metric) Loss() bool {
	return m.kind == disagreement || m.kind == pooledDisagreement || m.kind == disagreementError
}

// Pooled reports whether the metric weighs pairs alike, not queries.
func (m Metric) Pooled() bool {
	return m.kind == pooledDisagreement || m.kind == disagreementError || m.kind == pooledAUC
}

// Range returns the least and the largest value that a query can have: −1 and 1 for τ-b,
// 0 and 1 for all others.
func (m Metric) Range() (least, most float64) {
	if m.kind == tauB {
		return -1, 1
	}
	return 0, 1
}

// CountsRelevant reports whether the metric looks at which documents are relevant,
// and with it at Options.MinRelevant.
func (m Metric) CountsRelevant() bool {
	switch m.kind {
	case auc, pooledAUC, averagePrecision, precision, recall, reciprocalRank:
		return true
	}
	return false
}

// MarshalText is the name, so that a Metric is a string in JSON.
func (m Metric) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText is [Parse]; it returns an error where that does.
func (m *Metric) UnmarshalText(text []byte) (err error) {
	*m, err = Parse(string(text))
	return err
}

// cutoff says whether a kind of metric looks at the first positions only.
type cutoff uint8

const (
	none cutoff = iota
	optional
	needed
)

func (kd kind) cutoff() cutoff {
	switch kd {
	case ndcg, expectedRank:
		return optional
	case precision, recall:
		return needed
	}
	return none
}

// Names lists the names that [Parse] knows; K stands for a cut-off.
func Names() []string {
	var names []string
	for kd, name := range kindNames {
		switch kind(kd).cutoff() {
		case optional:
			names = append(names, name, name+"@K")
		case needed:
			names = append(names, name+"@K")
		default:
			names = append(names, name)
		}
	}
	return names
}

// Parse reads a metric's name, in any case. It also knows trec_eval's names: ndcg_cut_10,
// P_5, recall_5 and recip_rank, and the same with a dot before the number. It returns an
// error for an unknown name, which lists the known ones, and for a cut-off that is
// missing, not a number from 1 on, or not for this metric.
func Parse(name string) (Metric, error) {
	base, number, hasCut := splitName(strings.ToLower(name))
	known := slices.Index(kindNames[:], base)
	if known < 0 {
		return Metric{}, unknown(name, base, number, hasCut)
	}
	kd := kind(known)
	switch {
	case hasCut && kd.cutoff() == none:
		return Metric{}, fmt.Errorf("metric %q: %s has no cut-off", name, base)
	case !hasCut && kd.cutoff() == needed:
		return Metric{}, fmt.Errorf("metric %q: a cut-off is needed, as in %s@5", name, base)
	case !hasCut:
		return Metric{kind: kd}, nil
	}
	k, err := strconv.ParseUint(number, 10, 31)
	if err != nil || k == 0 {
		return Metric{}, fmt.Errorf("metric %q: cut-off %q is not a whole number from 1 to 2147483647", name, number)
	}
	return Metric{kd, int(k)}, nil
}

// ParseList reads names separated by commas. Spaces around a name are dropped;
// an empty list or a repeated metric is an error.
func ParseList(names string) ([]Metric, error) {
	var list []Metric
	for name := range strings.SplitSeq(names, ",") {
		m, err := Parse(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if slices.Contains(list, m) {
			return nil, fmt.Errorf("metric %s is listed twice", m)
		}
		list = append(list, m)
	}
	return list, nil
}

// splitName takes a lower-case name apart, trec_eval's names made ours.
func splitName(name string) (base, number string, hasCut bool) {
	if base, number, hasCut = strings.Cut(name, "@"); hasCut {
		return base, number, true
	}
	if name == "recip_rank" {
		return kindNames[reciprocalRank], "", false
	}
	for _, alias := range []struct {
		prefix string
		kind   kind
	}{{"ndcg_cut", ndcg}, {"p", precision}, {"recall", recall}} {
		rest, ok := strings.CutPrefix(name, alias.prefix)
		if ok && len(rest) > 1 && (rest[0] == '_' || rest[0] == '.') && '0' <= rest[1] && rest[1] <= '9' {
			return kindNames[alias.kind], rest[1:], true
		}
	}
	return name, "", false
}

// unknown is the error for a name nobody has, with the nearest known name if
// one is near.
func unknown(name, base, number string, hasCut bool) error {
	if stem := strings.TrimRight(base, "0123456789"); !hasCut && len(stem) < len(base) {
		base, number, hasCut = strings.TrimRight(stem, "_-. "), base[len(stem):], true // as in ndcg10
	}
	near := spell.Nearest(base, kindNames[:])
	if kd := slices.Index(kindNames[:], near); near != "" {
		switch cut := kind(kd).cutoff(); {
		case hasCut && cut != none:
			near += "@" + number
		case cut == needed:
			near += "@10"
		}
	}
	hint := ""
	if near != "" {
		hint = fmt.Sprintf("did you mean %q? ", near)
	}
	return fmt.Errorf("unknown metric %q: %sthe known ones are %s", name, hint, strings.Join(Names(), ", "))
}
