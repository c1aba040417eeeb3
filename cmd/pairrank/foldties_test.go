package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// In each fold of these tables the held-out scores of rows with different labels are equal by algebra, so that the
// error is one half, at every λ: by an inverse of the kernel matrix as by eigenvectors.
func TestFoldsKeepTies(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.csv", "label,a\n2,-1\n1,2\n0,0\n0,0\n")
	put(t, "b.csv", "label,a\n1,1\n2,1\n2,1\n2,-1\n0,0\n")
	half := regexp.MustCompile(`error\s+0\.50*\s`)
	for _, line := range []string{"a.csv --seed 0", "b.csv --seed 7 --learner rls"} {
		for exponent := -36; exponent <= 8; exponent++ {
			args := fmt.Sprintf("cv %s --kernel clinical --method kfold:2 --interval none --lambda 2^%d", line, exponent)
			if code, stdout, stderr := program(t, strings.Fields(args)...); code != 0 || !half.MatchString(stdout) {
				t.Errorf("%s: %d\n%s%s", args, code, stdout, stderr)
			}
		}
	}
}
