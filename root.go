package pairrank

import (
	"math"

	"pairrank/data"
	"pairrank/internal/fault"
	"pairrank/internal/linalg"
	"pairrank/pref"
)

// centredRoot is R with RRᵀ = CKC for a kernel matrix K of m rows and the centring C: differences of its rows have the
// inner products of K. Cost O(m³). It returns an error where K is not positive semidefinite on differences of rows.
func centredRoot(k *data.Dense) (*data.Dense, error) {
	m := k.Rows
	a, w, u := linalg.Mat(*k).Clone(), make([]float64, m), linalg.NewMat(m, m)
	pref.Centre(pref.OneList(m), a.Data, m)
	for i := range m {
		row, mean := a.Row(i), 0.0
		for _, v := range row {
			mean += v / float64(m)
		}
		for j := range row {
			row[j] -= mean
		}
	}
	linalg.SymEigen(a, w, u)
	const negative, noise = 1e-8, 1e-15 // of the largest eigenvalue
	most := w[m-1]
	switch {
	case math.IsNaN(most) || math.IsInf(most, 0):
		return nil, fault.Dataf("the kernel matrix overflows double precision")
	case w[0] < -negative*most:
		return nil, fault.Dataf("the kernel matrix is not positive semidefinite: centred it has an eigenvalue of %.3g "+
			"beside the largest, %.3g", w[0], most)
	}
	first := 0
	for first < m && w[first] <= noise*most {
		first++
	}
	if first == m {
		return nil, errZeroKernel
	}
	root := data.NewDense(m, m-first, nil)
	for j := first; j < m; j++ {
		scale := math.Sqrt(w[j])
		for i, v := range u.Row(j) {
			root.Row(i)[j-first] = v * scale
		}
	}
	return root, nil
}
