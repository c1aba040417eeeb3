package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/format/svmlight"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/synth"
)

// documents trains as the paper does, by Algorithm 1 without a line search, on the few
// documents of RCV1 that are to be had and on as many made ones: how alike the two are,
// and how many iterations the paper's times say. Every draw has another document as its
// target, and other rows to train on. λ is the paper's, and half of it, which is the same
// with ½ before ‖w‖².
func documents(ctx context.Context, s study) (found experiment.Result, err error) {
	real, err := svmlight.ReadFile(ctx, filepath.Join(s.dir, "rcv1_sample", "rcv1_vw_all.svm.gz"), svmlight.Options{})
	if err != nil {
		return found, err
	}
	t := experiment.NewTable("documents", "%s", "λ", "%g", "draws", "%.0f", "iterations", "%.1f", "±", "%.1f",
		"with the line search", "%.1f", "±", "%.1f", "wrong test pairs", "%.4f", "±", "%.4f")
	lambdas := []float64{2 * s.lambdaReuters, s.lambdaReuters}
	for _, source := range []struct {
		name string
		made bool
	}{{"of RCV1", false}, {"made", true}} {
		seen := make([][3][]float64, len(lambdas))
		for draw := range uint64(s.draws) {
			set := real
			if source.made {
				if set, err = (synth.News{Rows: len(real.Y) - 1, Seed: s.seed + draw}).Set(); err != nil {
					return found, err
				}
			}
			for k, lambda := range lambdas {
				o, err := observe(ctx, set, source.made, rand.New(rand.NewPCG(s.seed, draw)), lambda)
				if err != nil {
					return found, err
				}
				for what, v := range o {
					seen[k][what] = append(seen[k][what], v)
				}
			}
		}
		for k, lambda := range lambdas {
			row := []any{source.name, lambda, s.draws}
			for _, v := range seen[k] {
				row = append(row, experiment.Mean(v), experiment.StdErr(v))
			}
			t.Row(row...)
		}
		if !source.made {
			found.Find(iterationsSaid(seen[1][0]))
		}
	}
	found.Add(t)
	return found, nil
}

// iterationsSaid compares iterations with those that the paper's times imply: a training over one evaluation. It may be
// one draw away from the mean here.
func iterationsSaid(ours []float64) experiment.Finding {
	theirs, half := quotient(treeTraining, treeIteration, 1)
	draw := experiment.HalfInterval(experiment.StdErr(ours)*math.Sqrt(float64(len(ours)+1)), len(ours)-1)
	f := find("figures 1 and 2, RCV1", "iterations of TreeRSVM", "%.0f", theirs, experiment.Mean(ours), half+draw,
		fmt.Sprintf("half a second of the paper's 7, and t of one draw less the mean of %d", len(ours)), "")
	f.Says = fmt.Sprintf("18 min over 7 s: %.0f", theirs)
	f.Unlike = fmt.Sprintf("%d documents train here, 512,000 there", leastRows)
	return f
}

// observe is iterations without line search and with it, and the part of the test pairs
// in the wrong order, of a training with leastRows rows. Labels are products with a row
// that is drawn and taken away, unless the rows have them.
func observe(ctx context.Context, set *data.Set, labelled bool, random *rand.Rand,
	lambda float64) (seen [3]float64, err error) {
	order := random.Perm(len(set.Y))
	x := set.Subset(order)
	if !labelled {
		x = similar(x)
	}
	m := len(x.Y)
	var train, test []int
	for i := range m {
		if i < leastRows {
			train = append(train, i)
		} else {
			test = append(test, i)
		}
	}
	part := x.Subset(train)
	for k := range 2 {
		solver, err := ranksvm.New(part.X, part.Y, data.OneList(len(part.Y)),
			ranksvm.Options{Epsilon: epsilon, NoLineSearch: k == 0})
		if err != nil {
			return seen, err
		}
		fit, err := solver.Train(ctx, lambda)
		if err != nil {
			return seen, err
		}
		if !fit.Converged {
			return seen, fmt.Errorf("not converged after %d iterations", fit.Iterations)
		}
		seen[k] = float64(fit.Iterations)
		if seen[2], err = wrong(x.Subset(test), fit.Weights); err != nil {
			return seen, err
		}
	}
	return seen, nil
}

// similar is the rows but for the first, the products with which are their labels.
func similar(set *data.Set) *data.Set {
	m, n := set.X.Dims()
	one := make([]float64, m)
	one[0] = 1
	target := make([]float64, n)
	set.X.MulTransVecTo(target, one)
	rows := make([]int, m-1)
	for i := range rows {
		rows[i] = i + 1
	}
	rest := set.Subset(rows)
	rest.X.MulVecTo(rest.Y, target)
	return rest
}
