// Package pref says which pairs of scored rows are compared, with which targets and weights (Options), or names the
// compared pairs themselves (Edge).
package pref

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Cost is the target of the difference f_i − f_j for a preferred row i.
type Cost string

const (
	// Magnitude is the target y_i − y_j (Pahikkala et al. 2009, equation 21).
	Magnitude Cost = "magnitude"
	// Unit is the target 1, for any labels (equation 20). Tied pairs are out.
	Unit Cost = "unit"
	// Relative is the target y_i − y_j with weight 1/(y_i−y_j)² (equation 22). Tied pairs are out.
	Relative Cost = "relative"
)

// Weight says how much the pairs of a query count together.
type Weight string

const (
	// Pairs gives each pair weight 1, so that a query counts by its pairs.
	Pairs Weight = "pairs"
	// Size gives each pair weight 1/m_q, so that a query counts by its rows.
	Size Weight = "size"
	// Edges gives each pair weight 1/(pairs of the query), so that each query
	// counts 1.
	Edges Weight = "edges"
)

// The values of Options.Ties.
const (
	// IncludeTies compares them, with target 0.
	IncludeTies = "include"
	// ExcludeTies leaves them out.
	ExcludeTies = "exclude"
)

// Options choose which pairs of scored rows are compared, and their targets and weights.
type Options struct {
	Cost   Cost   // "" is Magnitude
	Weight Weight // "" is Pairs
	// Ties is "include" (a tied pair has target 0), "exclude", or "": include
	// for Magnitude, exclude for the other costs, which do not allow tied pairs.
	Ties string
	// CensoringWeights multiplies the weight of a pair of censored times by 1/G(t−)², t the shorter one and G the
	// Kaplan–Meier estimate of the time until censoring in the query: inverse probability of censoring.
	CensoringWeights bool
}

// Resolved returns o with its defaults filled in. It returns an error for an unknown name, which
// lists the known ones, and for options that exclude each other.
func (o Options) Resolved() (Options, error) {
	if o.Cost == "" {
		o.Cost = Magnitude
	}
	if o.Weight == "" {
		o.Weight = Pairs
	}
	if !slices.Contains([]Cost{Magnitude, Unit, Relative}, o.Cost) {
		return o, fmt.Errorf("unknown cost %q: known are %s", o.Cost, list(Magnitude, Unit, Relative))
	}
	if !slices.Contains([]Weight{Pairs, Size, Edges}, o.Weight) {
		return o, fmt.Errorf("unknown query weight %q: known are %s", o.Weight, list(Pairs, Size, Edges))
	}
	if o.CensoringWeights {
		return o, errors.New("weights by the probability of censoring are for censored times, and there are labels")
	}
	switch o.Ties {
	case "":
		o.Ties = IncludeTies
		if o.Cost != Magnitude {
			o.Ties = ExcludeTies
		}
	case IncludeTies:
		if o.Cost != Magnitude {
			return o, fmt.Errorf("the %s cost leaves tied pairs out: a tied pair has no preferred row", o.Cost)
		}
	case ExcludeTies:
	default:
		return o, fmt.Errorf("unknown ties %q: known are include, exclude", o.Ties)
	}
	return o, nil
}

func list[S ~string](names ...S) string {
	words := make([]string, len(names))
	for i, n := range names {
		words[i] = string(n)
	}
	return strings.Join(words, ", ")
}

// Edge is one preference: row I is preferred to row J by Magnitude, and the
// comparison counts Weight times. Several edges may join the same two rows.
type Edge struct {
	I, J      int     // rows, from 0
	Magnitude float64 // z, the target of the difference f_I − f_J
	// Weight is w > 0: 1 where all edges count alike. A weight of 0, as in an edge whose Weight was
	// omitted, is an error; see Weighted.
	Weight float64
}
