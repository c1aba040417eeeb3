package metric

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/internal/ostat"
	"pairrank/internal/spell"
)

// Metric is one measure of ranking quality, with its cut-off if it has one.
// Metrics are comparable with ==; the zero value is [Disagreement].
type Metric struct {
	kind    kind
	k       int     // the cut-off; 0: all positions, or the kind has none
	horizon float64 // the cut-off of a kind of times; 0: all times
}

// kind is a row of the table.
type kind uint8

func cut(kd kind, k int) Metric {
	if k < 1 {
		panic("metric: a cut-off must be at least 1")
	}
	return Metric{kind: kd, k: k}
}

// String is the metric's name, which [Parse] reads back.
func (m Metric) String() string {
	if m.horizon > 0 {
		form := byte('f')
		if m.horizon >= 1e21 || m.horizon < 1e-6 {
			form = 'g'
		}
		return m.row().name + "@" + strconv.FormatFloat(m.horizon, form, -1, 64)
	}
	if m.k > 0 {
		return m.row().name + "@" + strconv.Itoa(m.k)
	}
	return m.row().name
}

// row is what is known of the kind of the metric.
func (m Metric) row() *row { return &table[m.kind] }

// Loss reports whether less is better: so it is for the disagreements.
func (m Metric) Loss() bool { return m.row().loss }

// Pooled reports whether the metric weighs pairs alike, not queries.
func (m Metric) Pooled() bool { return m.row().pooled }

// Horizon is the time until which the shorter of two times counts, +Inf without a cut-off, and whether the longer one
// must be beyond it. It is 0 where the metric is not of censored times.
func (m Metric) Horizon() (until float64, beyond bool) {
	r := m.row()
	if r.times == 0 {
		return 0, false
	}
	return cmp.Or(m.horizon, math.Inf(1)), r.times == ostat.Dynamic
}

// timed reports whether the metric is of censored times.
func (m Metric) timed() bool { return m.row().times != 0 }

// OfPairs reports whether the metric counts pairs, which weights of rows weigh, and no positions.
func (m Metric) OfPairs() bool { return m.row().position == nil }

// Range returns the least and the largest value that a query can have: −1 and 1 for τ-b,
// 0 and 1 for all others.
func (m Metric) Range() (least, most float64) { return m.row().least, 1 }

// CountsRelevant reports whether the metric looks at which documents are relevant,
// and with it at Options.MinRelevant.
func (m Metric) CountsRelevant() bool { return m.row().needs.auc || m.row().needs.relevant }

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

// Names lists the names that [Parse] knows; K stands for a cut-off, and T for one that is a time.
func Names() []string {
	var names []string
	for _, r := range table {
		if r.cut != needed {
			names = append(names, r.name)
		}
		if r.cut != none {
			letter, _ := r.letter()
			names = append(names, r.name+"@"+letter)
		}
	}
	return names
}

// letter stands for a cut-off, and example is one.
func (r *row) letter() (letter, example string) {
	if r.times != 0 {
		return "T", "365"
	}
	return "K", "5"
}

// kindOf is the kind of a name without a cut-off; -1 if it is unknown.
func kindOf(name string) int {
	return slices.IndexFunc(table[:], func(r row) bool { return r.name == name })
}

// Parse reads a metric's name, in any case. It also knows trec_eval's names: ndcg_cut_10,
// P_5, recall_5 and recip_rank, and the same with a dot before the number. It returns an
// error for an unknown name, which lists the known ones, and for a cut-off that is
// missing, not a number from 1 on, or not for this metric. The cut-off of a metric of times is a time above 0.
func Parse(name string) (Metric, error) {
	base, number, hasCut := splitName(strings.ToLower(name))
	known := kindOf(base)
	if known < 0 {
		return Metric{}, unknown(name, base, number, hasCut)
	}
	kd := kind(known)
	switch cut := table[known].cut; {
	case hasCut && cut == none:
		return Metric{}, fmt.Errorf("metric %q: %s has no cut-off", name, base)
	case !hasCut && cut == needed:
		_, example := table[known].letter()
		return Metric{}, fmt.Errorf("metric %q: a cut-off is needed, as in %s@%s", name, base, example)
	case !hasCut:
		return Metric{kind: kd}, nil
	}
	if table[known].times != 0 {
		at, err := strconv.ParseFloat(number, 64)
		if err != nil || !(at > 0) || math.IsInf(at, 1) {
			return Metric{}, fmt.Errorf("metric %q: horizon %q is not a time above 0", name, number)
		}
		return Metric{kind: kd, horizon: at}, nil
	}
	k, err := strconv.ParseUint(number, 10, 31)
	if err != nil || k == 0 {
		return Metric{}, fmt.Errorf("metric %q: cut-off %q is not a whole number from 1 to 2147483647", name, number)
	}
	return Metric{kind: kd, k: int(k)}, nil
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
	for _, r := range table {
		rest, ok := strings.CutPrefix(name, strings.ToLower(r.trec))
		switch {
		case !ok || r.trec == "":
		case r.cut == none && rest == "":
			return r.name, "", false
		case r.cut != none && len(rest) > 1 && (rest[0] == '_' || rest[0] == '.') && '0' <= rest[1] && rest[1] <= '9':
			return r.name, rest[1:], true
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
	var names []string
	for _, r := range table {
		names = append(names, r.name)
	}
	near := spell.Nearest(base, names)
	if near != "" {
		switch cut := table[kindOf(near)].cut; {
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
