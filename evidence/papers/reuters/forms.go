package main

import (
	"fmt"
	"math"

	"pairrank/data"
)

// form is a way to say in numbers how often a document has a word.
type form struct {
	name  string
	value func(count, idf float64) float64
	unit  bool // the documents have length 1
}

// The forms of documents: the paper does not say which it has.
var (
	tfidf = form{"(1 + log count) · log(N/df), length 1",
		func(n, idf float64) float64 { return (1 + math.Log(n)) * idf }, true}
	logs   = form{"1 + log count, length 1", func(n, _ float64) float64 { return 1 + math.Log(n) }, true}
	binary = form{"1 for every word", func(float64, float64) float64 { return 1 }, false}
)

// forms are all that are compared; log(N/df) is of all N documents and the df that have
// the word.
var forms = []form{
	tfidf,
	{"count · log(N/df), length 1", func(n, idf float64) float64 { return n * idf }, true},
	logs,
	{"count, length 1", func(n, _ float64) float64 { return n }, true},
	{"1 for every word, length 1", func(float64, float64) float64 { return 1 }, true},
	binary,
	{"count", func(n, _ float64) float64 { return n }, false},
	{"count · log(N/df)", func(n, idf float64) float64 { return n * idf }, false},
}

// inverse are the logarithms of the number of all documents over those that have a word.
func inverse(x *data.CSR) []float64 {
	idf := make([]float64, x.Cols)
	for i := range x.Rows {
		cols, _ := x.Row(i)
		for _, j := range cols {
			idf[j]++
		}
	}
	for j, df := range idf {
		idf[j] = math.Log(float64(x.Rows) / df)
	}
	return idf
}

// integral is how far from a whole number a count may be that was printed with six
// digits.
const integral = 0.2

// counts takes documents of tfidf back to how often they have each word: the words of
// which value over idf is least are there once. It returns an error where a count is then
// not whole.
func counts(x *data.CSR, idf []float64) (*data.CSR, error) {
	out := &data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: x.Ptr, Col: x.Col, Val: make([]float64, len(x.Val))}
	for i := range x.Rows {
		cols, vals := x.Row(i)
		_, into := out.Row(i)
		once := math.Inf(1)
		for p, j := range cols {
			once = min(once, vals[p]/idf[j])
		}
		for p, j := range cols {
			n := math.Exp(vals[p]/idf[j]/once - 1)
			into[p] = math.Round(n)
			if math.Abs(n-into[p]) > integral {
				return nil, fmt.Errorf("document %d has word %d %.2f times: the file is not tf-idf", i+1, j+1, n)
			}
		}
	}
	return out, nil
}

// of are the documents in this form, from how often they have each word.
func (f form) of(counts *data.CSR, idf []float64) *data.CSR {
	out := &data.CSR{Rows: counts.Rows, Cols: counts.Cols, Ptr: counts.Ptr, Col: counts.Col,
		Val: make([]float64, len(counts.Val))}
	for i := range out.Rows {
		cols, n := counts.Row(i)
		_, vals := out.Row(i)
		squares := 0.0
		for p, j := range cols {
			vals[p] = f.value(n[p], idf[j])
			squares += vals[p] * vals[p]
		}
		if !f.unit || squares == 0 {
			continue
		}
		for p := range vals {
			vals[p] /= math.Sqrt(squares)
		}
	}
	return out
}
