package cv

import (
	"encoding/json"
	"fmt"
	"math"

	"pairrank/internal/student"
)

// Interval is a confidence interval.
type Interval struct {
	Lo, Hi  float64
	Defined bool
}

// Complement is the interval of 1 minus the quantity.
func (i Interval) Complement() Interval { return Interval{1 - i.Hi, 1 - i.Lo, i.Defined} }

// MarshalJSON writes [lo,hi] or null.
func (i Interval) MarshalJSON() ([]byte, error) {
	if !i.Defined {
		return []byte("null"), nil
	}
	return json.Marshal([2]float64{i.Lo, i.Hi})
}

// UnmarshalJSON reads [lo,hi] or null. It returns an error for anything else.
func (i *Interval) UnmarshalJSON(text []byte) error {
	*i = Interval{}
	if string(text) == "null" {
		return nil
	}
	var ends []float64
	if err := json.Unmarshal(text, &ends); err != nil || len(ends) != 2 {
		return fmt.Errorf("an interval is two numbers, not %.40s", text)
	}
	*i = Interval{ends[0], ends[1], true}
	return nil
}

// ShareInterval returns the 95 % interval of a share, an error or an AUC, with the
// variance V from units rows, queries or nodes: symmetric on the logit scale, by the delta
// method, and so within [0,1],
//
//	logit(a) ± t √V/(a(1−a))
//
// with the 97.5 % quantile t of Student's distribution with units − 1 degrees of freedom. Within
// half a unit, 1/(2·units), of 0 or 1, where all halves may agree, the interval is wider: a is
// moved to half a unit from the end, V is at least a(1−a)/units, the variance of as many
// independent trials, and the interval includes the end if the share equals it. It is not Defined
// where share is not in [0,1], where V is negative or not finite, and where V is 0 elsewhere. It
// panics where units is less than 2. Cost O(1).
func ShareInterval(share, variance float64, units int) Interval {
	if units < 2 {
		panic(fmt.Sprintf("cv: an interval from %d units", units))
	}
	if !(share >= 0 && share <= 1) || !(variance >= 0) || math.IsInf(variance, 0) {
		return Interval{}
	}
	a := fromEnds(share, units)
	if a != share {
		variance = max(variance, a*(1-a)/float64(units))
	}
	if variance == 0 {
		return Interval{} // ties everywhere: no interval
	}
	centre, half := math.Log(a/(1-a)), student.Quantile975(units-1)*math.Sqrt(variance)/(a*(1-a))
	i := Interval{Lo: logistic(centre - half), Hi: logistic(centre + half), Defined: true}
	if share == 0 {
		i.Lo = 0
	}
	if share == 1 {
		i.Hi = 1
	}
	return i
}

// fromEnds moves a share to at least half a unit away from 0 and 1.
func fromEnds(a float64, units int) float64 {
	end := 1 / (2 * float64(units))
	return min(max(a, end), 1-end)
}

// AUCInterval returns the 95 % confidence interval of an AUC with a standard error,
// symmetric on the logit scale and so within (0,1):
//
//	logit(auc) ± 1.96 stderr / (auc (1−auc))
//
// (Pepe 2003, The statistical evaluation of medical tests for classification and prediction,
// chapter 5). ShareInterval over twice the rarer label covers better where rows are few or the AUC is near 0 or 1, and
// for a held-out estimate. ok is false where there is no interval: auc is 0 or 1, or stderr is
// not positive, as where all scores are tied. Cost O(1).
func AUCInterval(auc, stderr float64) (lo, hi float64, ok bool) {
	if !(auc > 0 && auc < 1 && stderr > 0) || math.IsInf(stderr, 0) {
		return 0, 0, false
	}
	centre, half := math.Log(auc/(1-auc)), student.Normal975*stderr/(auc*(1-auc))
	return logistic(centre - half), logistic(centre + half), true
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
