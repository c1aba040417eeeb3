package main

import (
	"strings"
	"testing"
)

// A measure of given scores reads labels and queries alone: texts, dates and gaps elsewhere are no errors.
func TestGivenScoresNeedNoFeatures(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "s.txt", "1\n2\n3\n0\n")
	put(t, "a.csv", "label,qid,title,day,x\n0,a,first,2024-01-01,\n1,a,second,2024-01-02,?\n1,b,third,,1\n0,b,,,2\n")
	put(t, "a.jsonl", `{"label":0,"qid":"a","title":"first"}`+"\n"+`{"label":1,"qid":"a","x":"?"}`+"\n"+
		`{"label":1,"qid":"b"}`+"\n"+`{"label":0,"qid":"b"}`+"\n")
	for _, file := range []string{"a.csv", "a.jsonl"} {
		for _, verb := range []string{"evaluate", "compare"} {
			args := []string{verb, file, "-m", "concordance", "--scores", "s.txt", "--scores", "s.txt"}
			if out := must(t, args...); verb == "evaluate" && !strings.Contains(out, "1.0000") {
				t.Errorf("%v: %s", args, out)
			}
		}
	}
}
