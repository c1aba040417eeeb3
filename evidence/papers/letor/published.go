package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pairrank/evidence/papers/study"
)

// Columns of the tables of 2007, in their order.
const (
	rankRLS = iota
	plainRLS
	rankSVM
	rankBoost
	numColumns
)

// paper2007 is what tables 1 to 3 of the paper say of OHSUMED, by measure.
var paper2007 = map[string][numColumns]float64{
	"map":     {0.447, 0.450, 0.447, 0.440},
	"ndcg@1":  {0.549, 0.527, 0.495, 0.498},
	"ndcg@2":  {0.492, 0.499, 0.476, 0.483},
	"ndcg@3":  {0.477, 0.491, 0.465, 0.473},
	"ndcg@4":  {0.465, 0.474, 0.459, 0.461},
	"ndcg@5":  {0.453, 0.461, 0.458, 0.450},
	"ndcg@6":  {0.450, 0.454, 0.455, 0.442},
	"ndcg@7":  {0.451, 0.459, 0.447, 0.439},
	"ndcg@8":  {0.447, 0.460, 0.445, 0.436},
	"ndcg@9":  {0.447, 0.458, 0.443, 0.433},
	"ndcg@10": {0.443, 0.452, 0.441, 0.436},
	"p@1":     {0.644, 0.635, 0.634, 0.605},
	"p@2":     {0.614, 0.615, 0.619, 0.595},
	"p@3":     {0.586, 0.602, 0.592, 0.586},
	"p@4":     {0.570, 0.580, 0.579, 0.562},
	"p@5":     {0.557, 0.560, 0.577, 0.545},
	"p@6":     {0.546, 0.541, 0.558, 0.525},
	"p@7":     {0.534, 0.545, 0.536, 0.516},
	"p@8":     {0.524, 0.539, 0.525, 0.505},
	"p@9":     {0.516, 0.525, 0.517, 0.494},
	"p@10":    {0.505, 0.510, 0.507, 0.495},
}

// quoted are the columns of the paper that it took from the collection: the baselines that
// were published with it, fold by fold.
var quoted = map[int]string{rankSVM: "RankSVM", rankBoost: "RankBoost"}

// baseline is what was published of a learner by one measure on the test parts: the
// average that stands there, and the folds.
type baseline struct {
	average float64
	folds   []float64
}

// baselines are those that were published with the collection, by learner and measure.
func baselines(dir string) (map[string]map[string]*baseline, error) {
	path := filepath.Join(dir, study.OHSUMED2.Folder, "baselines.tsv")
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	found := map[string]map[string]*baseline{}
	var sheet string
	var head []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		cells := strings.Split(strings.TrimRight(lines.Text(), "\t"), "\t")
		name, opens := strings.CutPrefix(cells[0], "## sheet ")
		switch {
		case opens:
			sheet, head = name, nil
		case cells[0] == "Performance of the selected model on the training set":
			sheet = "" // up to the next one nothing is of test parts
		case sheet == "" || len(cells) == 1 || cells[0] == "Average":
		case strings.HasPrefix(cells[0], "Algorithm") || cells[0] == "Trials":
			head = cells
		default:
			if err := take(found, sheet, head, cells); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	if found[quoted[rankSVM]] == nil || found[quoted[rankBoost]] == nil {
		return nil, fmt.Errorf("%s has no averages of %s and %s", path, quoted[rankSVM], quoted[rankBoost])
	}
	return found, nil
}

// take takes in a line of the sheet of averages, which begins with a learner, or of the
// sheet of a learner, which begins with a fold.
func take(found map[string]map[string]*baseline, sheet string, head, cells []string) error {
	learner := sheet
	if sheet == "Average" {
		learner = cells[0]
	}
	if found[learner] == nil {
		found[learner] = map[string]*baseline{}
	}
	for k := 1; k < min(len(cells), len(head)); k++ {
		v, err := strconv.ParseFloat(cells[k], 64)
		if err != nil {
			return err
		}
		measure := strings.ToLower(head[k])
		b := found[learner][measure]
		if b == nil {
			b = &baseline{}
			found[learner][measure] = b
		}
		if sheet == "Average" {
			b.average = v
		} else {
			b.folds = append(b.folds, v)
		}
	}
	return nil
}
