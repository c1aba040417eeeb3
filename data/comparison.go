package data

// Comparison is comparisons of two items that are alike: a single one, or counts of outcomes.
type Comparison struct {
	Left, Right int // items
	// Wins are won by the left item, Losses by the right one, and Ties by neither.
	Wins, Losses, Ties float64
	// Weight is that of each outcome, and Magnitude that of a win in the squared loss; 0 is 1.
	Weight, Magnitude float64
	// Rest is what a win leaves to the other item in the logistic loss, from 0 to ½: the outcome, the probability that
	// the left item is better, is 1 − Rest in place of 1 where it wins, and Rest in place of 0 where it loses.
	Rest float64
	// Annotator is who compared, Stratum what the comparison belongs to, and Cluster which comparisons depend on one
	// another: a number, −1 for none.
	Annotator, Stratum, Cluster int
	// Trusted says that people voted, where the lines that are not trusted are votes of a judge.
	Trusted bool
}

// OutcomeWeight is the weight of each outcome.
func (c *Comparison) OutcomeWeight() float64 { return orOne(c.Weight) }

// WinMagnitude is the magnitude of a win.
func (c *Comparison) WinMagnitude() float64 { return orOne(c.Magnitude) }

func orOne(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// Count is the number of outcomes.
func (c *Comparison) Count() float64 { return c.Wins + c.Losses + c.Ties }

// Counts are the numbers of wins, losses and ties.
func (c *Comparison) Counts() [3]float64 { return [3]float64{c.Wins, c.Losses, c.Ties} }
