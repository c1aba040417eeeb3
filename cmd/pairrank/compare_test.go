package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// Queries in the files of two folds are compared as in one file, between two rankings and between
// three; a name that is in both files is a warning.
func TestFoldsArePooled(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(4, 4))
	var rows [2]strings.Builder
	var scores [2][3]strings.Builder
	for q := range 20 {
		fold := q * 2 / 25
		for range 5 {
			y := r.IntN(3)
			fmt.Fprintf(&rows[fold], "%d qid:%d 1:1\n", y, q)
			for k := range scores[fold] {
				fmt.Fprintf(&scores[fold][k], "%g\n", float64(y)+float64(1+3*k)*r.NormFloat64())
			}
		}
	}
	put := putFile
	whole := put(t, dir, "all.txt", rows[0].String()+rows[1].String())
	folds := []string{put(t, dir, "f1.txt", rows[0].String()), put(t, dir, "f2.txt", rows[1].String())}
	for _, rankings := range []int{2, 3} {
		one, pooled := []string{"compare", whole}, append([]string{"compare"}, folds...)
		for k := range rankings {
			name := fmt.Sprint("s", k)
			one = append(one, "--scores", put(t, dir, name, scores[0][k].String()+scores[1][k].String()))
			pooled = append(pooled, "--scores", put(t, dir, name+"a", scores[0][k].String()), "--scores", put(t, dir,
				name+"b", scores[1][k].String()))
		}
		var found [2]map[string]any
		for at, args := range [][]string{one, pooled} {
			code, out, errs := program(t, append(args, "-m", "ndcg,tau-b", "--json", "--resamples", "200")...)
			if code != 0 || strings.Contains(errs, "several DATA") {
				t.Fatalf("%q: %s", args, errs)
			}
			if err := json.Unmarshal([]byte(out), &found[at]); err != nil {
				t.Fatal(err)
			}
		}
		for _, key := range []string{"comparisons", "pairs", "standings"} {
			if !reflect.DeepEqual(found[0][key], found[1][key]) {
				t.Errorf("%d rankings: %s are %v of one file and %v of two", rankings, key, found[0][key],
					found[1][key])
			}
		}
		if found[1]["data"] == nil {
			t.Error("the document does not name the folds")
		}
	}
	args := []string{"compare", folds[0], folds[0], "--scores", dir + "/s0a", "--scores", dir + "/s0a", "--scores",
		dir + "/s1a", "--scores", dir + "/s1a"}
	if code, _, errs := program(t, args...); code != 0 || !strings.Contains(errs,
		"queries of one name are in several DATA, 13 of them") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
