package comparison

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// plainScores are least squares scores with mean 0 of outcomes z of weight w, by elimination.
func plainScores(items int, rows [][4]float64) []float64 {
	a := make([][]float64, items)
	for i := range a {
		a[i] = make([]float64, items+1)
		for j := range items {
			a[i][j] = 1
		}
	}
	for _, r := range rows { // left, right, z, w
		i, j := int(r[0]), int(r[1])
		a[i][i], a[j][j] = a[i][i]+r[3], a[j][j]+r[3]
		a[i][j], a[j][i] = a[i][j]-r[3], a[j][i]-r[3]
		a[i][items], a[j][items] = a[i][items]+r[3]*r[2], a[j][items]-r[3]*r[2]
	}
	for i := range a {
		for j := range a {
			if j == i {
				continue
			}
			f := a[j][i] / a[i][i]
			for k := range a[j] {
				a[j][k] -= f * a[i][k]
			}
		}
	}
	out := make([]float64, items)
	for i := range out {
		out[i] = a[i][items] / a[i][i]
	}
	return out
}

// plainTerms are the scores of people, and of the judge on all less on the comparisons of people, by the definition:
// for each vote of a person the mean of all votes of the judge on the same items in the same cluster, looked for line
// by line. Cluster −1 leaves out nothing.
func plainTerms(p *Problem, without int) (people, added, judge []float64) {
	sign := func(l, of *Line) float64 {
		switch {
		case l.Left == of.Left && l.Right == of.Right:
			return 1
		case l.Left == of.Right && l.Right == of.Left:
			return -1
		}
		return 0
	}
	each := func(l *Line, f func(z, w float64)) {
		for k, n := range l.Counts() {
			for range int(n) {
				f([3]float64{l.WinMagnitude(), -l.WinMagnitude(), 0}[k], l.OutcomeWeight())
			}
		}
	}
	var of [3][][4]float64
	for c := range p.Lines {
		l := &p.Lines[c]
		if l.Cluster == without {
			continue
		}
		each(l, func(z, w float64) {
			row := [4]float64{float64(l.Left), float64(l.Right), z, w}
			if !l.Trusted {
				of[2] = append(of[2], row)
				return
			}
			of[0] = append(of[0], row)
			sum, all := 0.0, 0.0
			for d := range p.Lines {
				if m := &p.Lines[d]; !m.Trusted && m.Cluster == l.Cluster && sign(m, l) != 0 {
					each(m, func(z, w float64) { sum, all = sum+sign(m, l)*w*z, all+w })
				}
			}
			if all > 0 {
				row[2] = sum / all
				of[1] = append(of[1], row)
			}
		})
	}
	n := len(p.Items)
	people, added, judge = plainScores(n, of[0]), plainScores(n, of[1]), plainScores(n, of[2])
	for i := range added {
		added[i] = judge[i] - added[i]
	}
	return people, added, judge
}

// trustedProblem has votes of people and of a judge on random comparisons of questions, whose votes may be turned
// round.
func trustedProblem(r *rand.Rand) *Problem {
	p := &Problem{Items: []string{"a", "b", "c", "d", "e"}, Annotators: []string{"human", "judge"}}
	for h := range 40 {
		p.Clusters = append(p.Clusters, strconv.Itoa(h))
		for range 2 + r.IntN(3) {
			i := r.IntN(5)
			l := Line{Left: i, Right: (i + 1 + r.IntN(4)) % 5, Annotator: 1, Stratum: -1, Cluster: h}
			add := func(trusted bool, noise float64) {
				l := l
				if r.IntN(2) == 0 {
					l.Left, l.Right = l.Right, l.Left
				}
				if l.Trusted = trusted; trusted {
					l.Annotator = 0
				}
				switch d := float64(l.Left-l.Right) + noise*r.NormFloat64(); {
				case d > 0.5:
					l.Wins = 1
				case d < -0.5:
					l.Losses = 1
				default:
					l.Ties = 1
				}
				if l.Weight, l.Magnitude = 1, 1; r.IntN(4) == 0 {
					l.Weight, l.Magnitude, l.Ties = 2, 0.5, l.Ties+1
				}
				p.Lines = append(p.Lines, l)
			}
			for range 1 + r.IntN(2) {
				add(false, 2)
			}
			for range r.IntN(3) {
				add(true, 1)
			}
		}
	}
	p.Clusters = append(p.Clusters, "people alone")
	l := Line{Left: 0, Right: 1, Wins: 1, Cluster: 40, Stratum: -1, Trusted: true}
	p.Lines = append(p.Lines, l)
	return p
}

// TestTrustedIsItsDefinition: scores, ω, covariances and gains are those of the formulas, where each cluster is left
// out by training again.
func TestTrustedIsItsDefinition(t *testing.T) {
	for seed := range uint64(20) {
		p := trustedProblem(rand.New(rand.NewPCG(seed, 9)))
		before := len(p.Lines)
		r, err := Rank(t.Context(), *p, RankOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Lines) != before || p.Annotators == nil {
			t.Fatal("the problem is changed")
		}
		n, clusters := len(p.Items), len(p.Clusters)
		people, added, judge := plainTerms(p, -1)
		var all [3][][]float64
		mean := [3][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
		for h := range clusters {
			a, b, j := plainTerms(p, h)
			for k, x := range [][]float64{a, b, j} {
				all[k] = append(all[k], x)
				for i := range x {
					mean[k][i] += x[i] / float64(clusters)
				}
			}
		}
		product := func(k, l, i, j int) (sum float64) {
			for h := range clusters {
				sum += (all[k][h][i] - mean[k][i]) * (all[l][h][j] - mean[l][j])
			}
			return sum * float64(clusters-1) / float64(clusters)
		}
		trace := func(k, l int) (sum float64) {
			for i := range n {
				sum += product(k, l, i, i)
			}
			return sum
		}
		omega := max(0, min(1, -trace(0, 1)/trace(1, 1)))
		got := r.Board.Trusted
		near := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-8*(1+math.Abs(want)) {
				t.Errorf("seed %d: %s is %v, want %v", seed, what, got, want)
			}
		}
		near("the share", got.Share, omega)
		least := trace(0, 0) + 2*omega*trace(0, 1) + omega*omega*trace(1, 1)
		near("the effective number", got.Effective, got.Votes*trace(0, 0)/least)
		near("the width", got.Width, math.Sqrt(trace(2, 2)/least))
		first := 0
		for i := range n {
			near("a score", r.Board.Scores[i], people[i]+omega*added[i])
			for j := range n {
				near("a covariance", r.Variance.cov.Row(i)[j], product(0, 0, i, j)+omega*product(0, 1, i, j)+
					omega*product(1, 0, i, j)+omega*omega*product(1, 1, i, j))
			}
			if judge[i] > judge[first] {
				first = i
			}
		}
		if got.First != first {
			t.Errorf("seed %d: the judge's first is %d, want %d", seed, got.First, first)
		}
		if !(got.Paired < got.Votes) || len(r.Raters) > 0 {
			t.Errorf("seed %d: %v of %v paired, %d raters", seed, got.Paired, got.Votes, len(r.Raters))
		}
	}
}

// TestTrustedLaws: a judge that votes as people do on every comparison of theirs is worth all its votes, one that
// tosses a coin nothing; turning lines round changes nothing.
func TestTrustedLaws(t *testing.T) {
	draw := func(kind string) *Problem {
		r := rand.New(rand.NewPCG(3, 4))
		p := &Problem{Items: []string{"a", "b", "c", "d", "e"}}
		for c := range 3000 {
			p.Clusters = append(p.Clusters, strconv.Itoa(c))
			i := r.IntN(5)
			l := Line{Left: i, Right: (i + 1 + r.IntN(4)) % 5, Annotator: -1, Stratum: -1, Cluster: c}
			vote := func(margin float64) {
				l.Wins, l.Losses = 0, 1
				if r.Float64()*(1+math.Exp(-margin)) < 1 {
					l.Wins, l.Losses = 1, 0
				}
			}
			vote(float64(l.Left-l.Right) / 2)
			person := l
			person.Trusted = true
			if kind == "coin" {
				vote(0)
			}
			if p.Lines = append(p.Lines, l); kind == "turned" && c%3 == 0 {
				l := &p.Lines[len(p.Lines)-1]
				l.Left, l.Right, l.Wins, l.Losses = l.Right, l.Left, l.Losses, l.Wins
			}
			if c < 300 {
				p.Lines = append(p.Lines, person)
			}
		}
		return p
	}
	boards := map[string]*Ranking{}
	for _, kind := range []string{"same", "turned", "coin"} {
		r, err := Rank(t.Context(), *draw(kind), RankOptions{})
		if err != nil {
			t.Fatal(err)
		}
		boards[kind] = r
	}
	same, turned, coin := boards["same"], boards["turned"], boards["coin"]
	// The jackknife of 300 votes is a little above that of 3,000, and ω a little below 1.
	if got := same.Board.Trusted; got.Share < 0.99 || got.Effective < 2900 || got.Effective > 3100 {
		t.Errorf("the same votes: %+v", got)
	}
	if got := coin.Board.Trusted; got.Share > 0.1 || got.Effective > 1.05*got.Votes || !warned(coin, "does not help") {
		t.Errorf("a coin: %+v, %v", got, coin.Notes)
	}
	for i, s := range same.Board.Scores {
		if math.Abs(s-turned.Board.Scores[i]) > 1e-12 {
			t.Errorf("turned round: %v, want %v", turned.Board.Scores, same.Board.Scores)
		}
	}
}

// warned reports whether a note has a text.
func warned(r *Ranking, text string) bool {
	for _, n := range r.Notes {
		if n.Warning && strings.Contains(n.Text, text) {
			return true
		}
	}
	return false
}

// TestTrustedDoubts: comparisons of people that the judge sees otherwise than all are told, and what cannot be joined
// is refused.
func TestTrustedDoubts(t *testing.T) {
	draw := func() *Problem {
		r := rand.New(rand.NewPCG(3, 4))
		p := &Problem{Items: []string{"a", "b", "c"}}
		for c := range 600 {
			p.Clusters = append(p.Clusters, strconv.Itoa(c))
			l := Line{Left: c % 3, Right: (c + 1) % 3, Wins: 1, Annotator: -1, Stratum: -1, Cluster: c}
			if l.Left == 0 && c > 200 || r.IntN(4) == 0 {
				l.Left, l.Right = l.Right, l.Left
			}
			if p.Lines = append(p.Lines, l); c < 200 {
				l.Trusted = true
				p.Lines = append(p.Lines, l)
			}
		}
		return p
	}
	r, err := Rank(t.Context(), *draw(), RankOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !warned(r, "no random part") {
		t.Errorf("notes %v", r.Notes)
	}
	for _, c := range []struct {
		change func(p *Problem, o *RankOptions)
		want   string
	}{
		{func(_ *Problem, o *RankOptions) { o.Loss = Logistic }, "squared loss at λ = 0"},
		{func(_ *Problem, o *RankOptions) { o.Variance = BySandwich }, "other intervals"},
		{func(p *Problem, _ *RankOptions) { p.AddSide() }, "covariates"},
		{func(p *Problem, _ *RankOptions) { p.unclustered() }, "the same comparison"},
		{func(p *Problem, _ *RankOptions) {
			for c := range p.Lines {
				p.Lines[c].Trusted = true
			}
		}, "there is no judge"},
		{func(p *Problem, _ *RankOptions) {
			for c := range p.Lines {
				p.Lines[c].Trusted = p.Lines[c].Trusted && p.Lines[c].Left+p.Lines[c].Right == 1
			}
		}, `do not connect all items: "c" apart`},
		{func(p *Problem, _ *RankOptions) {
			for c := range p.Lines {
				if l := &p.Lines[c]; l.Trusted {
					l.Cluster++ // other items
				}
			}
		}, "voted on no comparison"},
	} {
		p, o := draw(), RankOptions{}
		c.change(p, &o)
		if _, err := Rank(t.Context(), *p, o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
