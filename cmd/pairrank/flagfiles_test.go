package main

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// corpusFiles are the files that are written as they are.
func corpusFiles() map[string]string {
	r := rand.New(rand.NewPCG(1, 2))
	files := map[string]string{}
	put := func(name, format string, args ...any) { files[name] += fmt.Sprintf(format, args...) }
	x := make([][3]float64, 60)
	put("rows.csv", "label,qid,a,b,rating\n")
	put("sorted.csv", "label,qid,a,b,rating\n")
	put("more.csv", "label,qid,a,b,rating\n")
	put("renamed.csv", "label,qid,a,b,worth\n")
	put("gaps.csv", "label,qid,a,b,rating\n0,1,,1,1\n")
	put("bare.csv", "a,b,rating\n")
	put("twelve.csv", "label,topic,a\n")
	put("timed.csv", "months,weeks,died,seen,a\n")
	put("strata.csv", "qid,months,weeks,died,seen,a,b\n")
	put("later.csv", "qid,months,weeks,died,seen,a,b\n")
	put("gaps.txt", "2 qid:1 1:NaN 2:1 # docid = d0\n")
	for i := range x {
		for j := range x[i] {
			x[i][j] = math.Round(100*r.NormFloat64()) / 10
		}
		v := x[i]
		score := v[0] - 2*v[1] + 25*r.NormFloat64()
		grade := int(max(0, min(3, math.Round(1.5+score/20))))
		q := (i+i*i/9)%12 + 1 // of different sizes
		put("queries.txt", "%d qid:%d 1:%g 2:%g 3:%g # docid = d%d\n", grade, q, v[0], v[1], v[2], i)
		put("sorted.txt", "%d qid:%d 1:%g 2:%g 3:%g\n", grade, i/5, v[0], v[1], v[2])
		put("sorted.csv", "%d,%d,%g,%g,%d\n", grade, i/5, v[0], v[1], i/5%3)
		for _, more := range []string{"more.csv", "renamed.csv"} {
			put(more, "%d,%d,%g,%g,%d\n", grade, 100+i/5, v[0], v[1], i%3)
		}
		put("wide.txt", "%d qid:%d 1:%g 2:%g 3:%g 4:1\n", grade, q, v[0], v[1], v[2])
		put("qrels.txt", "%d 0 d%d %d\n", q, i, grade)
		put("other.scores", "%g\n", r.NormFloat64())
		put("gaps.txt", "%d qid:%d 1:%g 2:%g # docid = e%d\n", grade, q, v[0], v[1], i)
		put("rows.csv", "%d,%d,%g,%g,%d\n", grade, q, v[0], v[1], (i*7)%5)
		put("gaps.csv", "%d,%d,%g,%g,%d\n", grade, q, v[0], v[1], (i*7)%5)
		put("bare.csv", "%g,%g,%d\n", v[0], v[1], (i*7)%5)
		put("sparse.txt", "%g qid:%d %d:%g %d:1\n", score, q, 1+i%9, v[0], 12+i%8)
		strata := map[bool]string{true: "strata.csv", false: "later.csv"}[i < 39]
		put(strata, "%d,%d,%d,%d,%d,%g,%g\n", i*i/300, i*5%12, i*i%7, i%3/2^1, i/2%2, v[0], v[1])
		if i >= 12 {
			continue
		}
		put("timed.csv", "%g,%d,%d,%d,%g\n", float64(i*5%12)+0.5, i*i%7, i%2, i/2%2, v[0])
		put("list.scores", "%g\n", r.NormFloat64())
		put("list.txt", "%g 1:%g 2:%g 3:%g\n", score, v[0], v[1], v[2])
		put("twelve-gaps.txt", "%g 1:NaN 2:%g\n", score, v[1])
		put("two.txt", "%d 1:%g 2:%g 3:%g\n", i%2, v[0]+float64(i%2), v[1], v[2])
		put("twelve.csv", "%g,%d,%g\n", score, i%3, v[0])
		put("labels.tsv", "%g\t%g\n", score, v[2]+score/4)
	}
	put("qrels.txt", "99 0 d0 1\n")
	put("bad.txt", "x 1:1\n1 2:1 1:1\n1 0:1\n0 1:2 2:y\n")
	for i := range 12 {
		for j := range 12 {
			k := 0.0
			for f := range 3 {
				k += x[i][f] * x[j][f]
			}
			put("kernel.tsv", "%g%s", k, map[bool]string{true: "\n", false: "\t"}[j == 11])
		}
	}
	put("preferences.tsv", "1\t2\t2\n3\t1\n5\t4\t1\t0.5\n6\t5\n7\t9\t3\n10\t12\n8\t11\n")
	put("golden.json", "{\"rows\":[[0,0,0]],\"scores\":[0]}\n")
	put("token.txt", "a-token-of-some-length\n")
	put("basis.txt", "2\n5\n7\n11\n")
	put("basis-data.txt", "0 qid:1 1:1 2:0.5\n1 qid:1 2:1 3:-1\n")
	put("estimate.json", `{"method":"lqo","learner":"rankrls",`+
		`"results":[{"lambda":1,"error":0.2,"stderr":0.1,"pairs":9}],`+
		`"best":{"lambda":1,"error":0.2},"seconds":{"load":1}}`)
	put("compared.json", `{"style":"default","comparisons":[{"metric":"map","a":0.5,"b":0.4,`+
		`"difference":0.1,"ci95":[0,0.2]}]}`)
	put("names.txt", "first\nsecond\nthird\n")
	putRelation(put, r)
	putBoards(put, r)
	return files
}

// putRelation writes the nodes and edges of the corpus.
func putRelation(put func(name, format string, args ...any), r *rand.Rand) {
	const rows, cols = 6, 5
	put("nodes.tsv", "id\tu\tv\n")
	put("new.tsv", "id\tu\tv\nn1\t1\t2\nz\t0.5\t-1\ny\t2\t0\n")
	put("wide.tsv", "id\tu\tnew\tv\nn1\t1\t5\t2\nz\t0.5\t7\t-1\n")
	put("new-cols.tsv", "id\tp\tq\nm1\t1\t2\nm2\t0.5\t-1\n")
	put("cols.tsv", "id\tp\tq\n")
	for _, name := range []string{"edges.tsv", "some.tsv", "square.tsv", "part.tsv"} {
		put(name, "row_id\tcol_id\tvalue\n")
	}
	put("known.tsv", "n1\tn2\t1\nn3\tn1\t1\n")
	for _, name := range []string{"indefinite.tsv", "crooked.tsv", "similar.tsv"} {
		put(name, "id")
		for i := range rows {
			put(name, "\tn%d", i+1)
		}
		put(name, "\n")
	}
	for j := range cols {
		put("cols.tsv", "c%d\t%.2f\t%.2f\n", j+1, r.NormFloat64(), r.NormFloat64())
	}
	for i := range rows {
		put("nodes.tsv", "n%d\t%.2f\t%.2f\n", i+1, r.NormFloat64(), r.NormFloat64())
		put("indefinite.tsv", "n%d", i+1)
		put("crooked.tsv", "n%d", i+1)
		put("similar.tsv", "n%d", i+1)
		for j := range cols {
			value := r.NormFloat64()
			put("edges.tsv", "n%d\tc%d\t%.2f\n", i+1, j+1, value)
			if (i+j)%3 > 0 {
				put("some.tsv", "n%d\tc%d\t%.2f\n", i+1, j+1, value)
			}
		}
		for j := range rows {
			put("square.tsv", "n%d\tn%d\t%.2f\n", i+1, j+1, r.NormFloat64())
			if (2*i+j)%3 == 0 {
				put("part.tsv", "n%d\tn%d\t%d\n", i+1, j+1, 1+j)
			}
			same, near := 0.0, 0.0
			if i == j {
				same = 1
			} else if (i+j)%2 == 0 {
				near = 0.9 // three mutually near nodes and another three, of the wrong sign
			}
			put("indefinite.tsv", "\t%g", same-near)
			put("crooked.tsv", "\t%g", 6*same+float64(i)/100)
			put("similar.tsv", "\t%g", same+float64(min(i, j))/10)
		}
		put("indefinite.tsv", "\n")
		put("crooked.tsv", "\n")
		put("similar.tsv", "\n")
	}
}
