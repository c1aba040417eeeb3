package comparison

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pairrank/comparison/internal/incidence"
	"pairrank/internal/realdata"
)

// llmfao is the votes of 124 workers on 59 language models.
func llmfao(t *testing.T) *Problem {
	f, err := os.Open(realdata.Path(t, "comparisons/llmfao.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	p, at, who := &Problem{}, map[string]int{}, map[string]int{}
	for _, cells := range all[1:] {
		l := Line{Left: seen(p, at, cells[0]), Right: seen(p, at, cells[1]), Stratum: -1, Cluster: -1}
		switch cells[2] {
		case "left":
			l.Wins = 1
		case "right":
			l.Losses = 1
		case "tie":
			l.Ties = 1
		default:
			t.Fatal(cells)
		}
		k, is := who[cells[3]]
		if !is {
			k = len(p.Annotators)
			who[cells[3]] = k
			p.Annotators = append(p.Annotators, cells[3])
		}
		l.Annotator = k
		p.Lines = append(p.Lines, l)
	}
	return p
}

// chosenScale is a board with factors of a chosen spread.
func chosenScale(t *testing.T, p *Problem, o Options, seed uint64) *Board {
	t.Helper()
	r, err := newRanker(*p, RankOptions{Options: o, AnnotatorScale: true, Seed: seed})
	if err == nil {
		err = r.choose(context.Background(), r.unit(), func(int, int) {})
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.Board
}

// nestedLoss are the mean loss and the error of five folds of votes with factors, chosen without each fold, less those
// without factors, which it returns, too.
func nestedLoss(t *testing.T, p *Problem, o Options) (loss, wrong, plainLoss, plainWrong float64) {
	t.Helper()
	var with, without trial
	order := rand.New(rand.NewPCG(11, 12)).Perm(len(p.Lines))
	for g := range 5 {
		var out []int
		for k, c := range order {
			if k%5 == g {
				out = append(out, c)
			}
		}
		rest := p.Of(incidence.Others(len(p.Lines), out))
		plain, err := Fit(context.Background(), rest, o)
		if err != nil {
			t.Fatal(err)
		}
		b := chosenScale(t, rest, o, 1)
		for _, c := range out {
			with.see(b, &p.Lines[c], b.marginOf(p, c))
			without.see(plain, &p.Lines[c], plain.marginOf(p, c))
		}
	}
	plainLoss, plainWrong = without.loss/without.weight, without.wrong/without.wins
	return with.loss/with.weight - plainLoss, with.wrong/with.wins - plainWrong, plainLoss, plainWrong
}

// TestFactorsOfWorkers: the votes of workers that were held out, and of workers whose names were shuffled.
func TestFactorsOfWorkers(t *testing.T) {
	p := llmfao(t)
	loss, wrong, plain, plainWrong := nestedLoss(t, p, Options{Loss: Logistic})
	t.Logf("log-loss %.4f, and %.4f with factors; accuracy %.4f and %.4f", plain, plain+loss, 1-plainWrong,
		1-plainWrong-wrong)
	if math.Abs(plain-0.6475) > 0.001 || loss > -0.0119+2*0.0012 || wrong > -0.0038 {
		t.Errorf("factors change the log-loss %v by %v, and the error %v by %v", plain, loss, plainWrong, wrong)
	}
	loss, wrong, plain, plainWrong = nestedLoss(t, p, Options{Loss: Logistic, Ties: Drop})
	t.Logf("decisive votes: log-loss %.4f, and %.4f with factors; accuracy %.4f and %.4f", plain, plain+loss, 1-plainWrong,
		1-plainWrong-wrong)
	if math.Abs(plain-0.5749) > 0.005 || loss > -0.045 {
		t.Errorf("factors change the log-loss of decisive votes %v by %v", plain, loss)
	}
	q := *p
	q.Lines = slices.Clone(p.Lines)
	for seed := range uint64(2) {
		rand.New(rand.NewPCG(seed, 5)).Shuffle(len(q.Lines), func(i, j int) {
			q.Lines[i].Annotator, q.Lines[j].Annotator = q.Lines[j].Annotator, q.Lines[i].Annotator
		})
		loss, _, plain, _ = nestedLoss(t, &q, Options{Loss: Logistic})
		if t.Logf("shuffled: log-loss %.4f, and %+.5f with factors", plain, loss); loss > 0.001 {
			t.Errorf("factors of shuffled names cost %v", loss)
		}
	}
}

// TestTurnedWorkersAreFound turns the votes of five workers round: their factors are below 0, and the board is nearly
// the same.
func TestTurnedWorkersAreFound(t *testing.T) {
	p := llmfao(t)
	for _, o := range []Options{{Loss: Logistic}, {Loss: Squared}} {
		before := chosenScale(t, p, o, 1)
		votes := make([]int, len(p.Annotators))
		for c := range p.Lines {
			votes[p.Lines[c].Annotator]++
		}
		var turned []int
		for k, c := range before.factors.c {
			if c > 0.5 && votes[k] >= 80 && len(turned) < 5 {
				turned = append(turned, k)
			}
		}
		q := *p
		q.Lines = slices.Clone(p.Lines)
		for c := range q.Lines {
			if l := &q.Lines[c]; slices.Contains(turned, l.Annotator) {
				l.Wins, l.Losses = l.Losses, l.Wins
			}
		}
		after := chosenScale(t, &q, o, 1)
		for _, k := range turned {
			t.Logf("%s: worker %s of %d votes: %.2f, and turned %.2f", o.Loss, p.Annotators[k], votes[k], before.factors.c[k],
				after.factors.c[k])
			if !(after.factors.c[k] < 0) {
				t.Errorf("the factor of turned worker %s is %v", p.Annotators[k], after.factors.c[k])
			}
		}
		ab, aa, bb := 0.0, 0.0, 0.0
		for i, v := range before.Scores {
			ab, aa, bb = ab+v*after.Scores[i], aa+v*v, bb+after.Scores[i]*after.Scores[i]
		}
		plain := cor(t, p, &q, o)
		if r := ab / math.Sqrt(aa*bb); r < 0.99 {
			t.Errorf("the scores correlate %v with those before", r)
		} else {
			t.Logf("correlation %.5f with factors, %.5f without", r, plain)
		}
	}
}

// cor is the correlation of the scores of two problems without factors.
func cor(t *testing.T, p, q *Problem, o Options) float64 {
	a, err := Fit(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Fit(context.Background(), q, o)
	if err != nil {
		t.Fatal(err)
	}
	ab, aa, bb := 0.0, 0.0, 0.0
	for i, v := range a.Scores {
		ab, aa, bb = ab+v*b.Scores[i], aa+v*v, bb+b.Scores[i]*b.Scores[i]
	}
	return ab / math.Sqrt(aa*bb)
}
