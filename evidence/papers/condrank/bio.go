package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"pairrank/data"
	"pairrank/format/table"
	repair "pairrank/internal/similarity"
	"pairrank/relation/edge"
)

// interactions are drugs, the row nodes, and targets with a value for each pair.
type interactions struct {
	name           string
	drugs, targets []string
	rows, cols     *data.Dense // kernels
	y              *data.Dense
	smallest       [2]float64 // eigenvalues of the similarities, before
	binary         bool
	about          string // the similarity of targets
}

// readYamanishi reads one of nr, gpcr, ic and e. The file of enzyme sequences
// is not available; enzymes have the similarity of protein interactions.
func readYamanishi(dir, name string) (*interactions, error) {
	at := func(what string) string { return filepath.Join(dir, "yamanishi", name+what) }
	ending := ".txt.gz"
	if name == "nr" {
		ending = ".txt"
	}
	known, err := table.ReadSimilarity(at("_admat_dgc" + ending))
	if err != nil {
		return nil, err
	}
	between := &interactions{name: name, drugs: known.ColID, targets: known.RowID, binary: true, about: "sequences"}
	targets := "_simmat_dg.txt.gz"
	if name == "e" {
		targets, between.about = "_simmat_proteins_ppi.txt.gz", "protein interactions"
	}
	between.y = known.K.T()
	if between.rows, err = aligned(at("_simmat_dc.txt.gz"), between.drugs); err != nil {
		return nil, err
	}
	if between.cols, err = aligned(at(targets), between.targets); err != nil {
		return nil, err
	}
	return between, between.repair()
}

// readDavis reads kinases: the label is −log10 of Kd in mol/l.
func readDavis(dir string) (*interactions, error) {
	read := func(file string) (*data.Dense, error) {
		m, err := table.ReadMatrix(filepath.Join(dir, "davis", file),
			table.MatrixOptions{Separator: ' ', Header: table.HeaderNo, Names: table.HeaderNo})
		if err != nil {
			return nil, err
		}
		return m.X, nil
	}
	between := &interactions{name: "davis", about: "sequences"}
	var err error
	if between.y, err = read("drug-target_interaction_affinities_Kd__Davis_et_al.2011v1.txt.gz"); err != nil {
		return nil, err
	}
	for k, v := range between.y.Data {
		between.y.Data[k] = -math.Log10(v / 1e9)
	}
	if between.rows, err = read("drug-drug_similarities_2D.txt.gz"); err != nil {
		return nil, err
	}
	if between.cols, err = read("target-target_similarities_WS.txt.gz"); err != nil {
		return nil, err
	}
	if between.y.Rows != between.rows.Rows || between.y.Cols != between.cols.Rows {
		return nil, fmt.Errorf("davis: %d × %d values of %d drugs and %d targets", between.y.Rows, between.y.Cols,
			between.rows.Rows, between.cols.Rows)
	}
	return between, between.repair()
}

// aligned is a square similarity matrix in the order of ids.
func aligned(path string, ids []string) (*data.Dense, error) {
	s, err := table.ReadSimilarity(path)
	if err != nil {
		return nil, err
	}
	return s.Align(ids, ids)
}

// repair makes kernels of the similarities: symmetric, 1 on the diagonal, negative
// eigenvalues set to 0.
func (b *interactions) repair() error {
	for k, m := range []*data.Dense{b.rows, b.cols} {
		repair.Symmetrize(m)
		if err := repair.Normalize(m); err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		smallest, err := repair.MakePSD(m, edge.Clip)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		b.smallest[k] = smallest
	}
	return nil
}

// busiest is the drug with the most known targets, or the largest sum of values.
func (b *interactions) busiest() (drug int) {
	sums := make([]float64, b.y.Rows)
	for i := range sums {
		for _, v := range b.y.Row(i) {
			sums[i] += v
		}
	}
	return slices.Index(sums, slices.Max(sums))
}
