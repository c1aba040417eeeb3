package table

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/internal/realdata"
)

// The drug and target sets of Yamanishi et al. 2008 have ids everywhere: the
// similarities, and a matrix of interactions of targets × drugs.
func TestYamanishi(t *testing.T) {
	folder := realdata.Path(t, "yamanishi")
	path := func(name string) string { return filepath.Join(folder, name) }
	for _, c := range []struct {
		set, edges     string
		targets, drugs int
		kernel         string // of the targets
		positives      int
	}{
		{"nr", "nr_admat_dgc.txt", 26, 54, "nr_simmat_dg.txt.gz", 90},
		{"gpcr", "gpcr_admat_dgc.txt.gz", 95, 223, "gpcr_simmat_dg.txt.gz", 635},
		{"ic", "ic_admat_dgc.txt.gz", 204, 210, "ic_simmat_dg.txt.gz", 1476},
		// the sequence similarities are not there
		{"e", "e_admat_dgc.txt.gz", 664, 445, "e_simmat_proteins_ppi.txt.gz", 2926},
	} {
		e, err := ReadEdges(path(c.edges), EdgesOptions{})
		if err != nil {
			t.Fatal(err)
		}
		ones := 0
		for _, y := range e.Y {
			ones += int(y)
		}
		got := fmt.Sprintf("%v %d %d %d %d", e.Format, len(e.RowID), len(e.ColID), len(e.Y), ones)
		if want := fmt.Sprintf("matrix %d %d %d %d", c.targets, c.drugs, c.targets*c.drugs, c.positives); got != want {
			t.Errorf("%s: %s, want %s", c.set, got, want)
		}
		for side, names := range map[string][]string{
			"targets": {c.kernel, c.set + "_simmat_proteins_ppi.txt.gz"},
			"drugs":   {c.set + "_simmat_dc.txt.gz", c.set + "_simmat_drugs_tanimoto.txt.gz"},
		} {
			ids := map[string][]string{"targets": e.RowID, "drugs": e.ColID}[side]
			for _, name := range names {
				s, err := ReadSimilarity(path(name))
				if err != nil {
					t.Errorf("%s of %s: %v", side, c.set, err)
					continue
				}
				if k, err := s.Align(ids, ids); err != nil || k.Rows != len(ids) || k.Row(0)[0] == 0 {
					t.Errorf("%s of %s: %v", side, c.set, err)
				}
				if rows, cols := s.extra(ids, ids); rows != 0 || cols != 0 {
					t.Errorf("%s: %d rows and %d columns more than the edges have", name, rows, cols)
				}
			}
		}
		_, _, err = e.Match(e.ColID, e.RowID)
		if err == nil || !strings.Contains(err.Error(),
			fmt.Sprintf("%d of %d row ids are unknown", c.targets, c.targets)) {
			t.Errorf("%s: exchanged sides: %v", c.set, err)
		}
	}
}

// In tables of numbers alone the order identifies the nodes.
func TestTablesWithoutIDs(t *testing.T) {
	for _, c := range []struct {
		collection, name string
		rows, cols       int
	}{
		{"davis", "drug-drug_similarities_2D.txt.gz", 68, 68},
		{"davis", "target-target_similarities_WS.txt.gz", 442, 442},
		{"davis", "drug-target_interaction_affinities_Kd__Davis_et_al.2011v1.txt.gz", 68, 442},
		{"yeast_ppi", "yeast_ppi_kernel.txt.gz", 150, 150},
		{"yeast_ppi", "yeast_ppi_adj.txt.gz", 150, 150},
		{"rlscore_examples", "Kron_train_1.kernelm", 10, 10},
		{"rlscore_examples", "Kron_train_2.kernelm.gz", 13, 13},
		{"rlscore_examples", "Kron_test_1.kernelm.gz", 10, 53},
		{"rlscore_examples", "Kron_train.labels", 10, 13},
	} {
		path := realdata.Path(t, c.collection, c.name)
		t.Run(c.name, func(t *testing.T) {
			n, err := ReadNodes(path, NodesOptions{})
			if err != nil {
				t.Fatal(err)
			}
			s, err := ReadSimilarity(path)
			if err != nil {
				t.Fatal(err)
			}
			e, err := ReadEdges(path, EdgesOptions{})
			if err != nil {
				t.Fatal(err)
			}
			row, col, err := e.Match(n.ID, s.ColID)
			if err != nil || !n.Numbered || !s.Numbered || !e.Numbered {
				t.Fatalf("numbered %v, %v and %v: %v", n.Numbered, s.Numbered, e.Numbered, err)
			}
			if n.X.Rows != c.rows || s.K.Cols != c.cols {
				t.Errorf("%d × %d, want %d × %d", n.X.Rows, s.K.Cols, c.rows, c.cols)
			}
			y := e.complete(row, col, c.rows, c.cols)
			for k := range n.X.Data {
				if n.X.Data[k] != s.K.Data[k] || n.X.Data[k] != y.Data[k] {
					t.Fatalf("entry %d differs", k)
				}
			}
		})
	}
}
