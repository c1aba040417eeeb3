package metric

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Style selects the conventions of the position metrics. Each value other than [Default] reproduces
// the numbers of a published tool; metrics that the tool does not compute are errors.
type Style uint8

const (
	// Default averages over tied scores and leaves undefined queries out.
	Default Style = iota
	// TREC is trec_eval: gain = relevance, ties by document id descending, all
	// judged documents in the ideal list.
	TREC
	// LETOR3 is the evaluation script of LETOR 2.0 and 3.0.
	LETOR3
	// LETOR4 is the evaluation script of LETOR 4.0.
	LETOR4
	// MSLR is the evaluation script of the MSLR-WEB10K and MSLR-WEB30K data.
	MSLR
	numStyles
)

// styles is a set of them.
type styles [numStyles]bool

// of is the set of some styles.
func of(some ...Style) (set styles) {
	for _, s := range some {
		set[s] = true
	}
	return set
}

// ties says what orders documents of equal score.
type ties uint8

const (
	averaged  ties = iota // every order alike
	byID                  // document id, descending by bytes
	asWritten             // input order
)

// convention is all that distinguishes the styles.
type convention struct {
	name        string
	ties        ties
	minRelevant float64
	setRelevant bool // whether Options.MinRelevant may change it
	maxLabel    int  // labels are 0 … maxLabel; 0: not so bounded
	integer     bool // labels are whole numbers
	linearGain  bool // gain = label, negative ones 0; else 2^label − 1
	late        bool // discounts 1, 1, 1/log2 3, …: that of i−1 at i, from 2 on
	shortNDCG   bool // NDCG@k of a list shorter than k is 0
	shortP      bool // P@k of a list shorter than k is 0
	countEmpty  bool // a query without a relevant document counts as 0
	unretrieved bool // relevant documents outside the list count
}

var conventions = [numStyles]convention{
	Default: {
		name: "default", ties: averaged, minRelevant: 1, setRelevant: true, unretrieved: true,
	},
	TREC: {
		name: "trec", ties: byID,
		minRelevant: 1, setRelevant: true, integer: true, linearGain: true, countEmpty: true, unretrieved: true,
	},
	LETOR3: {
		name: "letor3", ties: asWritten,
		minRelevant: 1, maxLabel: 2, integer: true, late: true, shortNDCG: true, shortP: true, countEmpty: true,
	},
	LETOR4: {
		name: "letor4", ties: asWritten,
		minRelevant: 1, maxLabel: 2, integer: true, late: true, shortNDCG: true, countEmpty: true,
	},
	MSLR: {
		name: "mslr", ties: asWritten,
		minRelevant: 2, maxLabel: 4, integer: true, late: true, shortNDCG: true, countEmpty: true,
	},
}

// String is the style's name, which [ParseStyle] reads back.
func (s Style) String() string { return conventions[s].name }

// StyleNames lists the styles.
func StyleNames() []string {
	names := make([]string, numStyles)
	for s := range names {
		names[s] = conventions[s].name
	}
	return names
}

// ParseStyle reads a style's name, in any case. It returns an error for an unknown one,
// which lists the known ones.
func ParseStyle(name string) (Style, error) {
	if s := slices.Index(StyleNames(), strings.ToLower(name)); s >= 0 {
		return Style(s), nil
	}
	return 0, fmt.Errorf("unknown style %q: the known ones are %s", name, strings.Join(StyleNames(), ", "))
}

// MarshalText is the name, so that a Style is a string in JSON.
func (s Style) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText is [ParseStyle]; it returns an error where that does.
func (s *Style) UnmarshalText(text []byte) (err error) {
	*s, err = ParseStyle(string(text))
	return err
}

// Metrics returns the metrics of the style that are computed by default.
func (s Style) Metrics() []Metric {
	switch s {
	case TREC:
		return []Metric{MAP, MRR, PrecisionAt(5), PrecisionAt(10), NDCG, NDCGAt(10)}
	case LETOR3, MSLR:
		return []Metric{NDCGAt(1), NDCGAt(3), NDCGAt(5), NDCGAt(10), PrecisionAt(10), MAP}
	case LETOR4:
		return []Metric{NDCGAt(1), NDCGAt(3), NDCGAt(5), NDCGAt(10), MeanNDCG, PrecisionAt(10), MAP}
	}
	return []Metric{Disagreement, TauB, NDCG, NDCGAt(10), MAP}
}

// Name is how the style's own tool writes the metric: ndcg_cut_10, P_5, recall_5
// and recip_rank for [TREC], [Metric.String] for the others.
func (s Style) Name(m Metric) string {
	r := m.row()
	switch {
	case s != TREC || r.trec == "" || r.cut != none && m.k == 0:
		return m.String()
	case m.k > 0:
		return r.trec + "_" + strconv.Itoa(m.k)
	}
	return r.trec
}

// check is an error for a metric that a style does not define.
func (s Style) check(m Metric) error {
	switch r := m.row(); {
	case s == Default && r.only != "":
		return fmt.Errorf("%s is %s", m, r.only)
	case s != Default && !r.tools[s]:
		return fmt.Errorf("style %s does not define %s: leave the style out", s, m)
	}
	return nil
}

// checkLabel is an error for a label that is no relevance label of the style.
func (c *convention) checkLabel(y float64) error {
	switch {
	case math.IsNaN(y) || math.IsInf(y, 0):
		return fmt.Errorf("label %v is not finite", y)
	case c.integer && y != math.Trunc(y):
		return fmt.Errorf("label %v is not a whole number, as style %s needs", y, c.name)
	case c.maxLabel > 0 && (y < 0 || y > float64(c.maxLabel)):
		return fmt.Errorf("label %v is not one of 0 to %d, as style %s needs", y, c.maxLabel, c.name)
	}
	return nil
}

// maxGainLabel keeps 2^label, and sums of it, finite.
const maxGainLabel = 1000

// gain is the contribution of a document of label y to DCG before the discount.
func (c *convention) gain(y float64) (float64, error) {
	switch {
	case c.linearGain:
		return max(y, 0), nil
	case y < 0:
		return 0, fmt.Errorf("label %v is negative, ndcg needs labels of 0 and above: shift the labels, or measure "+
			"concordance or tau-b", y)
	case y > maxGainLabel:
		return 0, fmt.Errorf("label %v is too large for the gain 2^label−1 of ndcg, at most %d: rescale the labels, "+
			"or measure concordance or tau-b", y, maxGainLabel)
	}
	return math.Exp2(y) - 1, nil
}

// discount is the weight of position i ≥ 1.
func (c *convention) discount(i int) float64 {
	if c.late {
		i = max(i-1, 1)
	}
	return 1 / math.Log2(float64(i)+1)
}
