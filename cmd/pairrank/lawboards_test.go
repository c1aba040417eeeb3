package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// boardPaths are the ways of comparisons by name: losses and penalties, by what is held out.
func boardPaths() (paths []path) {
	for _, loss := range []string{"", "--loss logistic", "--loss logistic --ties davidson",
		"--loss logistic --bias-reduced", "--lambda 1", "--loss logistic --lambda 1", "--pair-weights equal", "--side",
		"--loss logistic --outcome p", "--loss logistic --ties drop --outcome p", "--outcome p --outcome-is margin"} {
		for _, method := range []string{"", "comparison", "line", "pair", "kfold:3"} {
			paths = append(paths, path{"board", "", "leaderboard", loss, method, ""})
		}
	}
	return paths
}

// vote is one comparison: the left and the right item, who won, and the probability that this one is better, if it is
// not 1.
type vote struct {
	left, right, winner string
	p                   float64
}

// sheet are the votes as the path reads them.
func (p path) sheet(votes []vote) string {
	var text strings.Builder
	text.WriteString(map[bool]string{true: "left,right,p\n", false: "left,right,winner\n"}[p.has("--outcome")])
	for _, v := range votes {
		if p.has("--outcome") {
			better := cmp.Or(v.p, 1)
			outcome := map[string]float64{"left": better, "right": 1 - better, "tie": 0.5}[v.winner]
			if p.has("margin") {
				outcome = 5*outcome - 2.5
			}
			v.winner = fmt.Sprint(outcome)
		}
		fmt.Fprintf(&text, "%s,%s,%s\n", v.left, v.right, v.winner)
	}
	return text.String()
}

func (b *bench) votes(seed uint64) (votes []vote) {
	r := b.random(seed, 3)
	for i := range 5 {
		for j := range i {
			for k := range 6 {
				winner := []string{"left", "right", "left"}[r.IntN(3)]
				if k == 5 {
					winner = "tie"
				}
				votes = append(votes, vote{fmt.Sprint("item", i), fmt.Sprint("item", j), winner, 1 - float64(k*j%4)/8})
			}
		}
	}
	return votes
}

// board is the document of the path on votes.
func (b *bench) board(p path, votes []vote, more ...string) (*said, ran) {
	return b.document(p.line(b, b.put("votes.csv", p.sheet(votes)), more...)...)
}

// turned is a vote with its sides exchanged.
func (v vote) turned() vote {
	winner := map[string]string{"left": "right", "right": "left"}[v.winner]
	if winner == "" {
		winner = v.winner
	}
	return vote{v.right, v.left, winner, v.p}
}

func boardLaws() []law {
	return []law{
		{"the order of lines changes nothing", func(p path) string {
			if p.method == "kfold:3" {
				return "folds are drawn by lines"
			}
			return ""
		}, func(b *bench, p path) string {
			votes := b.votes(1)
			turned := slices.Clone(votes)
			rand.New(rand.NewPCG(1, 1)).Shuffle(len(turned), func(i, j int) { turned[i], turned[j] = turned[j], turned[i] })
			return sameBoards(b, p, votes, turned)
		}},
		{"sides change nothing", func(p path) string {
			if p.has("--side") {
				return "the side has an effect"
			}
			return ""
		}, func(b *bench, p path) string {
			votes := b.votes(2)
			turned := slices.Clone(votes)
			for i := range turned {
				if i%2 == 0 {
					turned[i] = turned[i].turned()
				}
			}
			return sameBoards(b, p, votes, turned)
		}},
		{"outcomes of 1, 0 and a half are winners", func(p path) string {
			if p.has("--outcome") {
				return "the outcomes are others"
			}
			return ""
		}, outcomesAreWinners},
		{"threads change nothing", nil, func(b *bench, p path) string {
			_, one := b.board(p, b.votes(3), "--threads", "1")
			_, two := b.board(p, b.votes(3), "--threads", "2")
			if steady(one.out) != steady(two.out) {
				return "the documents differ"
			}
			return ""
		}},
		{"copies of lines are told", nil, func(b *bench, p path) string {
			votes := b.votes(4)
			for i := range votes { // every line of its own, but for what follows
				votes[i].left, votes[i].right = fmt.Sprint(votes[i].left), fmt.Sprint(votes[i].right)
			}
			d, r := b.board(p, slices.Concat(votes, votes, votes))
			switch {
			case d == nil:
				return r.failed()
			case !d.noted("repeated-lines"):
				return "no note repeated-lines"
			}
			return ""
		}},
		{"text, JSON and page tell the same", nil, func(b *bench, p path) string {
			votes := append(b.votes(5), vote{"best", "item0", "left", 1}) // which only wins
			line := p.line(b, b.put("votes.csv", p.sheet(votes)))
			if d, r := b.document(line...); d == nil && (r.code == 3 || r.code == 5) {
				return "" // there is no finite maximum
			}
			return toldOnce(b, line)
		}},
		{"no width of zero", nil, func(b *bench, p path) string {
			var votes []vote
			for i := range 4 { // the better item always wins, and two pairs always tie
				for j := range i {
					votes = append(votes, vote{fmt.Sprint("item", i), fmt.Sprint("item", j), "tie", 1})
				}
			}
			d, r := b.board(p, votes)
			switch {
			case d == nil && r.code == 3 || d == nil && r.code == 5:
				return ""
			case d == nil:
				return r.failed()
			}
			for _, item := range d.Items {
				if item.Lo != nil && item.Hi != nil && *item.Lo == *item.Hi {
					return fmt.Sprintf("%s has an interval from %g to %g", item.ID, *item.Lo, *item.Hi)
				}
			}
			if _, deviation := d.heldOut(); deviation != nil && *deviation == 0 {
				return "the held-out error has ± 0"
			}
			return ""
		}},
	}
}

// outcomesAreWinners compares the board of winners with that of outcomes 1, 0 and ½.
func outcomesAreWinners(b *bench, p path) string {
	votes := b.votes(6)
	for i := range votes {
		votes[i].p = 1
	}
	graded := p
	graded.flags += " --outcome p --outcome-is probability"
	_, won := b.board(p, votes)
	_, better := b.board(graded, votes)
	if beforeNotes(won.out) != beforeNotes(better.out) {
		return "the documents differ"
	}
	return ""
}

// beforeNotes is a document without its notes, which end it, and its times.
func beforeNotes(text string) string {
	text, _, _ = strings.Cut(steady(text), `"notes":`)
	return text
}

// sameBoards tells the first difference of the boards of two lists of votes.
func sameBoards(b *bench, p path, votes, other []vote) string {
	d, r := b.board(p, votes)
	e, q := b.board(p, other)
	switch {
	case r.code != q.code:
		return r.failed() + "; " + q.failed()
	case d == nil:
		return r.failed()
	}
	x, _ := d.heldOut()
	if y, _ := e.heldOut(); (x == nil) != (y == nil) || x != nil && !alike(*x, *y) {
		return "the held-out errors differ"
	}
	for k := range d.Items {
		x, y := &d.Items[k], &e.Items[k]
		if !alike(x.Score, y.Score) || (x.Lo == nil) != (y.Lo == nil) || x.Lo != nil && !alike(*x.Lo, *y.Lo) {
			return fmt.Sprintf("%s has %.9g, %s %.9g", x.ID, x.Score, y.ID, y.Score)
		}
		if x.RankLo != y.RankLo || x.RankHi != y.RankHi {
			return fmt.Sprintf("the ranks of %s differ", x.ID)
		}
	}
	return ""
}
