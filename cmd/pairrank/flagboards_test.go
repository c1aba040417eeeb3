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
board-graded: leaderboard votes.csv --outcome len
board-shares: leaderboard shares.csv --outcome share --loss logistic
board-unsaid 3: leaderboard shares.csv --outcome share
board-people: leaderboard people.csv --cluster topic
board-none 2: leaderboard
scored: leaderboard scores.csv
scored-against: leaderboard scores.csv --against s1
scored-wide: leaderboard scores-wide.csv --wide systems
scored-files: leaderboard s1.csv s2.csv --system-from-file
scored-objects: leaderboard scores.json --json
scored-failed 4: leaderboard scores.csv --fail-worse s0=0.1
scored-undecided 7: leaderboard scores-wide.csv --wide systems --fail-worse s2=0
scored-apart 3: leaderboard scores-apart.csv
named: train --comparisons votes.csv --items items.csv -o out/m --lambda 1
named-svm: train --comparisons votes.csv --items items.csv -o out/m --learner ranksvm --lambda 0.1
named-chosen: train --comparisons tallies.csv --items items.csv -o out/m --kernel gaussian:gamma=0.5
named-beats: train --comparisons beats.csv --items items.csv -o out/m --lambda 1
named-gaps 3: train --comparisons votes.csv --items item-gaps.csv -o out/m --lambda 1
named-missing 3: train --comparisons votes.csv --items nodes.tsv -o out/m --lambda 1
named-unsaid 3: train --comparisons shares.csv --items items.csv -o out/m --lambda 1 --outcome share
cv-named-unsaid 3: cv --comparisons shares.csv --items items.csv --lambda 1 --outcome share
judged-unsaid 3: evaluate --comparisons shares.csv named.tsv --outcome share
named-none 2: train --comparisons votes.csv -o out/m
named-items 2: train --items items.csv -o out/m
cv-named-items 2: cv --items items.csv
cv-named-none 2: cv --comparisons votes.csv
cv-named: cv --comparisons votes.csv --items items.csv --lambdas 1,4 --held-out out/held
cv-named-counts: cv --comparisons tallies.csv --items items.csv --lambda 1 --method comparison --held-out out/held
cv-named-folds: cv --comparisons votes.csv --items items.csv --learner ranksvm --lambda 0.1 --method kfold:3
cv-named-beats: cv --comparisons beats.csv --items items.csv --lambda 1
check-unsaid 3: check shares.csv --outcome share
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
	"outcome":       give("len"),
	"outcome-is": give("margin").but("board-graded board-shares", "values say that outcomes are margins, and the loss "+
		"that they are probabilities"),
	"margin": give(""),
}

// boardProbes are the flags of leaderboard.
var boardProbes = map[string]probe{
	"covariates":      give("len"),
	"trusted":         give("who=u1"),
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

	"score-column":     give("size"),
	"system-column":    give("rival"),
	"item-column":      give("thing"),
	"repeat-column":    give("run"),
	"wide":             give("systems", "items"),
	"system-from-file": give(""),
	"lower-is-better":  give(""),
	"standardize":      give("item"),
	"ranks":            give(""),
	"against":          give("s2"),
	"fail-worse":       give("s1=0.1"),
	"fail-unless":      give("s2 beats s1"),
	"rows":             give("none"),
}

// putScores writes the tables of scores of the corpus.
func putScores(put func(name, format string, args ...any), r *rand.Rand) {
	put("scores.csv", "model,task,accuracy,rival,thing,run,topic,size\n")
	put("scores-wide.csv", "task,s0,s1,s2\n")
	put("scores.json", "[")
	put("scores-apart.csv", "model,task,score\ns0,a,1\ns1,a,2\ns2,b,1\ns3,b,2\n")
	for k := range 3 {
		put("s"+string(rune('0'+k))+".csv", "task,accuracy,size,topic,thing\n")
	}
	for i := range 8 {
		put("scores-wide.csv", "i%d", i)
		for k := range 3 {
			score := float64(2*k) + r.NormFloat64()
			put("scores.csv", "s%d,i%d,%.3f,r%d,p%d,%d,t%d,%d\n", k, i, score, k, i, i%2, i/2, r.IntN(9))
			put("s"+string(rune('0'+k))+".csv", "i%d,%.3f,%d,t%d,p%d\n", i, score, r.IntN(9), i/2, i)
			put("scores-wide.csv", ",%.3f", r.NormFloat64())
			put("scores.json", `%s{"model":"s%d","task":"i%d","accuracy":%.3f}`, []string{",", ""}[btoi(i+k == 0)], k, i, score)
		}
		put("scores-wide.csv", "\n")
	}
	put("scores.json", "]\n")
}

// btoi is 1 for true.
func btoi(is bool) int {
	if is {
		return 1
	}
	return 0
}

// putBoards writes the comparisons and the items of the corpus.
func putBoards(put func(name, format string, args ...any), r *rand.Rand) {
	putScores(put, r)
	const items = "abcdef"
	put("votes.csv", "left,right,winner,other,rival,won,who,topic,len,mass\n")
	put("beats.csv", "winner,loser,other,rival,who,topic,len,mass\n")
	put("tallies.csv", "left,right,wins_left,wins_right,ties,other,rival,w1,w2,t2,who,topic,len,mass\n")
	put("shares.csv", "left,right,share,other,rival,won,who,topic,len,mass\n")
	put("items.csv", "id,a,rating\n")
	put("item-gaps.csv", "id,a,rating\n")
	put("named.tsv", "id\tscore\n")
	for i := range items {
		put("items.csv", "%c,%.2f,%d\n", items[i], r.NormFloat64(), i*i%4)
		put("named.tsv", "%c\t%d\n", items[i], i*i%5)
		put("item-gaps.csv", "%c,%s,%d\n", items[i], map[bool]string{true: "NA", false: "2"}[i%2 == 0], i)
	}
	put("people.csv", "left,right,winner,who,topic\n")
	for k := range 36 {
		i := k % len(items)
		j := (i + 1 + k/len(items)%5) % len(items)
		for who := range 2 - k/18 {
			put("people.csv", "%c,%c,%s,u%d,t%d\n", items[i], items[j], []string{"left", "right"}[r.IntN(2)], who, k)
		}
	}
	name := func(i int) byte { return items[i%len(items)] }
	for k := range 48 {
		i, j := k, k+1+k/len(items)%5
		outcome := []string{"left", "right", "tie"}[r.IntN(3)]
		put("votes.csv", "%c,%c,%s,%c,%c,%s,u%d,t%d,%d,%d\n", name(i), name(j), outcome, name(j+2), name(j+3),
			[]string{"left", "right", "tie"}[r.IntN(3)], k%5, k%3, r.IntN(9), 1+k%4)
		put("shares.csv", "%c,%c,%g,%c,%c,right,u%d,t%d,%d,%d\n", name(i), name(j), float64(k*k%9)/8, name(j+2), name(j+3),
			k%5, k%3, k%7, 1+k%4)
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
