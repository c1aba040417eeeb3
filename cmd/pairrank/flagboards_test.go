package main

import "math/rand/v2"

// boardLines are the commands of the corpus about comparisons of named items.
const boardLines = `
board: leaderboard votes.csv
board-logistic: leaderboard votes.csv --loss logistic
board-penalised: leaderboard votes.csv --lambda 1
board-folds: leaderboard votes.csv --lambdas 1,4 --hold-out kfold:3
board-reduced: leaderboard beats.csv --loss logistic --bias-reduced
board-beats: leaderboard beats.csv
board-counts: leaderboard tallies.csv --loss logistic --ties davidson
board-held: leaderboard tallies.csv --hold-out comparison --held-out out/held
board-items: leaderboard votes.csv --items items.csv --lambda 1
board-items-free: leaderboard votes.csv --items items.csv --hold-out item
board-gaps 3: leaderboard votes.csv --items item-gaps.csv
board-missing 3: leaderboard votes.csv --items nodes.tsv
board-only-wins 3: leaderboard beats.csv --loss logistic
board-judged: leaderboard votes.csv --annotator who
board-sampled: leaderboard votes.csv --intervals bootstrap --loss logistic --cycles
board-none 2: leaderboard
named: train --comparisons votes.csv --items items.csv -o out/m --lambda 1
named-svm: train --comparisons votes.csv --items items.csv -o out/m --learner ranksvm --lambda 0.1
named-chosen: train --comparisons tallies.csv --items items.csv -o out/m --kernel gaussian:gamma=0.5
named-beats: train --comparisons beats.csv --items items.csv -o out/m --lambda 1
named-gaps 3: train --comparisons votes.csv --items item-gaps.csv -o out/m --lambda 1
named-missing 3: train --comparisons votes.csv --items nodes.tsv -o out/m --lambda 1
named-none 2: train --comparisons votes.csv -o out/m
named-items 2: train --items items.csv -o out/m
cv-named-items 2: cv --items items.csv
cv-named-none 2: cv --comparisons votes.csv
cv-named: cv --comparisons votes.csv --items items.csv --lambdas 1,4 --held-out out/held
cv-named-counts: cv --comparisons tallies.csv --items items.csv --lambda 1 --method comparison --held-out out/held
cv-named-folds: cv --comparisons votes.csv --items items.csv --learner ranksvm --lambda 0.1 --method kfold:3
cv-named-beats: cv --comparisons beats.csv --items items.csv --lambda 1
judged: evaluate --comparisons votes.csv named.tsv
judged-counts: evaluate --comparisons tallies.csv named.tsv --json
judged-beats: evaluate --comparisons beats.csv named.tsv
`

// columnProbes are the flags about the columns of comparisons.
var columnProbes = map[string]probe{
	"left":          give("other"),
	"right":         give("rival"),
	"winner":        give("won"),
	"loser":         give("rival"),
	"wins-left":     give("w1"),
	"wins-right":    give("w2"),
	"ties-column":   give("t2"),
	"weight-column": give("mass"),
	"annotator":     give("who"),
	"stratum":       give("topic"),
	"cluster":       give("topic"),
	"score-left":    give("len"),
	"score-right":   give("mass"),
}

// boardProbes are the flags of leaderboard.
var boardProbes = map[string]probe{
	"covariates":      give("len"),
	"side":            give(""),
	"items":           give("items.csv"),
	"residual":        give("2"),
	"save":            give("out/board.model"),
	"missing":         give("zero", "own").but("* -board-gaps", "no value is missing there"),
	"missing-in":      give("a=zero").but("* -board-gaps", "no value is missing there"),
	"loss":            give("logistic"),
	"ties":            give("drop"),
	"lambda":          give("2"),
	"lambdas":         give("3,5"),
	"bias-reduced":    give(""),
	"scale":           give("raw", "elo"),
	"reference":       give("comparisons"),
	"anchor":          give("a=7"),
	"hold-out":        give("line"),
	"held-out":        give("out/held"),
	"next":            give("2"),
	"about":           give("a,c"),
	"seed":            give("7").but("* -board-folds", "other draws of the sets of ranks come to the same sets"),
	"output":          give("out/board.csv"),
	"pair-weights":    give("equal"),
	"intervals":       give("bootstrap"),
	"versus":          give("a,b"),
	"cycles":          give(""),
	"annotators":      give("out/annotators.csv"),
	"annotator-scale": give(""),
	"report":          give("out/page.html"),
	"figure":          give("out/figure.svg"),
}

// putBoards writes the comparisons and the items of the corpus.
func putBoards(put func(name, format string, args ...any), r *rand.Rand) {
	const items = "abcdef"
	put("votes.csv", "left,right,winner,other,rival,won,who,topic,len,mass\n")
	put("beats.csv", "winner,loser,other,rival,who,topic,len,mass\n")
	put("tallies.csv", "left,right,wins_left,wins_right,ties,other,rival,w1,w2,t2,who,topic,len,mass\n")
	put("items.csv", "id,a,rating\n")
	put("item-gaps.csv", "id,a,rating\n")
	put("named.tsv", "id\tscore\n")
	for i := range items {
		put("items.csv", "%c,%.2f,%d\n", items[i], r.NormFloat64(), i*i%4)
		put("named.tsv", "%c\t%d\n", items[i], i*i%5)
		put("item-gaps.csv", "%c,%s,%d\n", items[i], map[bool]string{true: "NA", false: "2"}[i%2 == 0], i)
	}
	name := func(i int) byte { return items[i%len(items)] }
	for k := range 48 {
		i, j := k, k+1+k/len(items)%5
		outcome := []string{"left", "right", "tie"}[r.IntN(3)]
		put("votes.csv", "%c,%c,%s,%c,%c,%s,u%d,t%d,%d,%d\n", name(i), name(j), outcome, name(j+2), name(j+3),
			[]string{"left", "right", "tie"}[r.IntN(3)], k%5, k%3, r.IntN(9), 1+k%4)
		put("tallies.csv", "%c,%c,%d,%d,%d,%c,%c,%d,%d,%d,u%d,t%d,%d,%d\n", name(i), name(j), 1+r.IntN(4), r.IntN(4),
			r.IntN(3), name(j+2), name(j+3), 1+r.IntN(9), r.IntN(9), r.IntN(9), k%5, k%3, r.IntN(9), 1+k%4)
		if i%len(items) < j%len(items) && k%7 > 0 { // a only wins
			i, j = j, i
		}
		if name(j) == 'a' {
			i, j = j, i
		}
		put("beats.csv", "%c,%c,%c,%c,u%d,t%d,%d,%d\n", name(i), name(j), name(j+2), name(i+1), k%5, k%3, r.IntN(9),
			1+k%4)
	}
}
