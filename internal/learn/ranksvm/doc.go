// Package ranksvm trains linear ranking support vector machines: over the
// weights w of a linear function f = Xw it minimises
//
//	J(w) = (1/N) Σ max(0, 1 − (f_i − f_j))^p + λ‖w‖²
//
// over the N pairs of rows of one query with y_i > y_j, p = 1 for the hinge loss and 2 for the
// squared one. The labels are any real numbers, or times of which some are censored: then the pairs are those of which
// it is known who lived longer (Van Belle, Pelckmans, Suykens and Van Huffel 2007, Support vector machines for survival
// analysis). No step enumerates the pairs: value and slope come
// from counts in O(m log m) (Airola, Pahikkala and Salakoski 2011, Training linear ranking SVMs in
// linearithmic time using red-black trees; package internal/ostat), so that an iteration costs O(ms
// + m log m).
//
//   - The hinge loss is minimised by cutting planes (package internal/bundle), which give a lower
//     bound on J and so a gap. The planes are kept from one λ to the next.
//   - The squared hinge loss is minimised by a truncated Newton method (Chapelle
//     and Keerthi 2010, Efficient algorithms for ranking with SVMs; Lee and Lin
//     2014, Large-scale linear RankSVM).
//
// NewPairs takes an explicit list of pairs with weights instead of labels, at O(pairs) an iteration.
//
// Tied pairs are not compared. A kernel is trained through its empirical map:
// see package kernel.
//
// Notation: m rows, n features, s non-zeros a row, q queries, N pairs.
package ranksvm
