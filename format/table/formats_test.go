package table

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The examples of nodes, similarities and edges in docs/formats.md are read as the page says.
func TestFormatsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, found := range regexp.MustCompile(
		"(?s)```((?:rows|edges)-[a-z]+)\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		kind, text := found[1], strings.NewReader(found[2])
		var said string
		switch kind {
		case "rows-csv", "rows-jsonl":
			n, err := readNodesFrom(text, kind, NodesOptions{})
			if err != nil {
				t.Fatal(err)
			}
			said = describeNodes(n)
		case "rows-similarity":
			s, err := readSimilarityFrom(text, kind)
			if err != nil {
				t.Fatal(err)
			}
			said = describeSimilarity(s)
		default:
			e, err := readEdgesFrom(text, kind, EdgesOptions{NoValue: kind == "edges-pairs"})
			if err != nil {
				t.Fatal(err)
			}
			said = describeEdges(e)
		}
		got = append(got, kind+" "+said)
	}
	want := []string{
		`rows-csv ["D1" "D2" "07"] 3×2 [120 3 80.5 1 15 2] ["length, words" "pages"]`,
		`rows-jsonl ["D1" "D2"] 2×2 [120 3 80.5 1] ["length, words" "pages"]`,
		`rows-similarity ["hsa190" "hsa2099" "hsa2100"] ["hsa190" "hsa2099" "hsa2100"] [1 0.026 0.025 0.026 ` +
			`1 0.385 0.025 0.385 1]`,
		`rows-similarity ["hsa367"] ["hsa190" "hsa2099" "hsa2100"] [0.5 0.25 0.125]`,
		`edges-triplets ["D1" "D2"] ["hsa190" "hsa367"] D1-hsa190=1.5@2 D2-hsa190=0@3 D1-hsa367=-2@4 D1-hsa190=1.25@5`,
		`edges-jsonl ["D1" "D2"] ["hsa190"] D1-hsa190=1.5@1 D2-hsa190=0@2`,
		`edges-matrix ["D1" "D2"] ["hsa190" "hsa367" "hsa2099"] D1-hsa190=1.5 D1-hsa2099=0 D2-hsa367=2 and 3 ` +
			`unobserved of a matrix`,
		`edges-pairs ["D1" "D2"] ["hsa2099" "hsa367"] D1-hsa2099=NaN@2 D2-hsa367=NaN@3`,
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("the page has\n%s\nwant\n%s", g, w)
	}
	for _, name := range []string{"value", "label", "score", "rating", "weight"} {
		if !isValueName(name) || !strings.Contains(string(page), fmt.Sprintf("`%s`", name)) {
			t.Errorf("the page, or the reader, does not know a column named %s", name)
		}
	}
}
