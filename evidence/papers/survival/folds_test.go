package main

import (
	"math"
	"testing"
)

// The files of R have all folds of all sets, and C over the folds is that of the pooled pairs.
func TestCox(t *testing.T) {
	r, err := readCounts("cox.tsv", coxTSV)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range sets {
		for _, name := range []string{"cox", "ridge"} {
			c := r[of.name+" "+name]
			if c == nil || c[folds-1].pairs == 0 {
				t.Fatalf("%s, %s: not all folds are there", of.name, name)
			}
			if v := c.share(-1); v < 0.5 || v > 0.9 {
				t.Errorf("%s, %s: %v", of.name, name, v)
			}
		}
	}
}

// The jackknife of a mean is its standard error.
func TestJackknife(t *testing.T) {
	c := &counts{}
	sum, squares := 0.0, 0.0
	for k := range c {
		c[k].pairs, c[k].right = 10, float64(k)
		sum, squares = sum+float64(k)/10, squares+float64(k*k)/100
	}
	want := math.Sqrt((squares - sum*sum/folds) / (folds - 1) / folds)
	if got := jackknife(c.share); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
}
