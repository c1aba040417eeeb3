package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// put adds text to a file.
func (f inputs) put(name, format string, args ...any) {
	f[name] = fmt.Appendf(f[name], format, args...)
}

// row is one of the made rows: three features, a real label and a grade made of it.
type row struct {
	x     [3]float64
	score float64
	grade int
}

func rowsOf(r *rand.Rand, m int) []row {
	rows := make([]row, m)
	for i := range rows {
		for j := range rows[i].x {
			rows[i].x[j] = math.Round(100*r.NormFloat64()) / 10
		}
		v := rows[i].x
		rows[i].score = math.Round(10*(v[0]-2*v[1]+20*r.NormFloat64())) / 10
		rows[i].grade = int(max(0, min(3, math.Round(1.5+rows[i].score/20))))
	}
	return rows
}

// listed is the number of rows of the files that are one list.
const listed = 24

// seeded makes files of rows, and what belongs to rows, from a seed.
func seeded(f inputs) {
	r := rand.New(rand.NewPCG(1, 2))
	rows := rowsOf(r, 60)
	f.put("rows.csv", "label,qid,a,b,rating\n")
	f.put("gaps.csv", "label,qid,a,b,rating\n0,1,,1,1\n2,1,NaN,NULL,1\n")
	f.put("bare.csv", "a,b,rating\n")
	f.put("gaps.txt", "2 qid:1 1:NaN 2:1 3: # docid = d0\n1 qid:1 1:NULL 3:2\n")
	for i, d := range rows {
		q := (i+i*i/9)%12 + 1 // of different sizes
		f.put("docs.txt", "%d qid:%d 1:%g 2:%g 3:%g # docid = d%d\n", d.grade, q, d.x[0], d.x[1], d.x[2], i)
		f.put("wide.txt", "%d qid:%d 1:%g 2:%g 3:%g 4:1\n", d.grade, q, d.x[0], d.x[1], d.x[2])
		f.put("zero-based.txt", "%d qid:%d 0:%g 1:%g 2:%g\n", d.grade, q, d.x[0], d.x[1], d.x[2])
		f.put("named-queries.txt", "%d qid:q/%c %s:%g 3:%g # docid = d%d inc = 1\n", d.grade, 'a'+rune(q),
			[]string{"1", "2"}[i%2], d.x[0], d.x[2], i)
		f.put("graded.txt", "%d qid:%d 1:%g 2:%g\n", 2*d.grade-3, q, d.x[0], d.x[1])
		f.put("qrels.txt", "%d 0 d%d %d\n", q, i, d.grade)
		f.put("other.scores", "%g\n", math.Round(1000*r.NormFloat64())/1000)
		f.put("tied.scores", "%d\n", i%3)
		f.put("gaps.txt", "%d qid:%d 1:%g 2:%g # docid = e%d\n", d.grade, q, d.x[0], d.x[1], i)
		f.put("rows.csv", "%d,%d,%g,%g,%d\n", d.grade, q, d.x[0], d.x[1], (i*7)%5)
		f.put("gaps.csv", "%d,%d,%g,%g,%d\n", d.grade, q, d.x[0], d.x[1], (i*7)%5)
		f.put("bare.csv", "%g,%g,%d\n", d.x[0], d.x[1], (i*7)%5)
		f.put("no-header.csv", "%d,%g,%g\n", d.grade, d.x[0], d.x[1])
		f.put("sparse.txt", "%g qid:%d %d:%g %d:1\n", d.score, q, 1+i%9, d.x[0], 12+i%8)
		f.put("sparse-list.txt", "%d %d:%g %d:1\n", d.grade, 1+i%9, d.x[0], 40+i%8)
	}
	f.put("qrels.txt", "99 0 d0 1\n1 0 d77 -1\n")
	list(f, r, rows[:listed])
	preferences(f)
	queries(f, r)
}

// queries makes 90 queries of three rows, with the scores of two rankings.
func queries(f inputs, r *rand.Rand) {
	for q := range 90 {
		for i := range 3 {
			grade, x := r.IntN(3), math.Round(10*r.NormFloat64())/10
			f.put("queries.txt", "%d qid:%d 1:%g 2:%d\n", grade, q+1, x, i)
			f.put("queries.a", "%.1f\n", float64(grade)+2*r.NormFloat64())
			f.put("queries.b", "%.0f\n", float64(grade)+3*r.NormFloat64())
		}
	}
	for range 40 {
		f.put("news-labels.tsv", "%.1f\t%.1f\n", r.NormFloat64(), r.NormFloat64())
	}
	f["long.scores"] = []byte("1\n" + strings.Repeat("0", 1<<21) + "\n2\n3\n")
}

// list makes the files that are one list, and matrices of as many rows.
func list(f inputs, r *rand.Rand, rows []row) {
	for i, d := range rows {
		f.put("list.txt", "%g 1:%g 2:%g 3:%g\n", d.score, d.x[0], d.x[1], d.x[2])
		f.put("list.csv", "%g,%d,%g\n", d.score, i%3, d.x[0])
		f.put("list.scores", "%g\n", math.Round(1000*r.NormFloat64())/1000)
		f.put("two.txt", "%d 1:%g 2:%g 3:%g\n", i%2, d.x[0]+6*float64(i%2), d.x[1], d.x[2])
		f.put("ties.txt", "%d 1:%d 2:%g\n", d.grade, i%4, d.x[1])
		f.put("labels.tsv", "%g\t%g\n", d.score, d.x[2]+d.score/4)
		f.put("label.tsv", "%g\n", d.x[1])
	}
	for name, among := range map[string][2]int{"kernel.tsv": {0, listed}, "cross.tsv": {0, 5},
		"named-kernel.csv": {0, listed}, "rounded-kernel.tsv": {0, listed}} {
		if strings.HasSuffix(name, ".csv") {
			f.put(name, "id%s\n", names("t", ",", listed))
		}
		for i := among[0]; i < among[1]; i++ {
			var values []string
			for j := range rows {
				k := kernelOf(rows[i].x, rows[j].x)
				if name == "rounded-kernel.tsv" {
					k = math.Round(1e6*k) / 1e6
				}
				values = append(values, fmt.Sprint(k))
			}
			if strings.HasSuffix(name, ".csv") {
				f.put(name, "t%d,%s\n", i+1, strings.Join(values, ","))
			} else {
				f.put(name, "%s\n", strings.Join(values, "\t"))
			}
		}
	}
}

// kernelOf is (1 + x·z/100)².
func kernelOf(x, z [3]float64) float64 {
	k := 1.0
	for j := range x {
		k += x[j] * z[j] / 100
	}
	return k * k
}

// names is a header of numbered names, each after a separator.
func names(prefix, separator string, n int) string {
	var b bytes.Buffer
	for k := range n {
		fmt.Fprintf(&b, "%s%s%d", separator, prefix, k+1)
	}
	return b.String()
}

// preferences are over the rows of the list, in parts that are not connected.
func preferences(f inputs) {
	for part := range 4 {
		for k := range 5 {
			i, j := 6*part+k+1, 6*part+(k*k+2)%6+1
			if i != j {
				f.put("parts.tsv", "%d\t%d\t%g\n", i, j, 1+float64(k)/2)
			}
		}
	}
	for i := 1; i < listed; i++ {
		f.put("chain.tsv", "%d %d\n", i+1, i)
	}
}
