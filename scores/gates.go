package scores

import (
	"fmt"

	"pairrank/fault"
)

// Claim says that a system is not worse than another one by more than a margin. With margin 0 it is that the system is
// better.
type Claim struct {
	// System is a name, and Than another one; "" is the baseline or, without one, each other system.
	System, Than string
	Margin       float64
}

// Gate is what is known of a claim about two systems: that it surely does not hold (Failed), that it surely holds
// (Passed), or neither. All gates of a ranking are right together in 95 % of samples.
type Gate struct {
	Claim
	Failed, Passed bool
	// Worse is by how much the system is worse, and Lo … Hi the interval, NaN where there is none.
	Worse, Lo, Hi float64
}

// test tests claims, by flips of the differences less the margins, or of nothing where d is nil.
func (r *Ranking) test(d *flips, claims []Claim) error {
	var pairs []pair
	for _, c := range claims {
		of, err := r.place(c.System)
		if err != nil {
			return err
		}
		than := r.Against
		if c.Than != "" {
			if than, err = r.place(c.Than); err != nil {
				return err
			}
		}
		if of == than {
			return fault.As(fault.Use, "no-system", fmt.Errorf("a gate compares %q with itself", c.System))
		}
		for at, k := range r.order {
			if at != of && (than < 0 || at == than) {
				pairs = append(pairs, pair{s: k, t: r.order[of], margin: c.Margin})
			}
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	apart, wide, _ := d.apart(pairs)
	for j, p := range pairs {
		names := r.Problem.Systems
		g := Gate{Claim: Claim{names[p.t], names[p.s], p.margin}}
		g.Worse, g.Lo, g.Hi = r.gap(p, wide)
		over := g.Worse - p.margin
		g.Failed, g.Passed = apart[j] && over > 0, apart[j] && over < 0
		r.Gates = append(r.Gates, g)
	}
	return nil
}
