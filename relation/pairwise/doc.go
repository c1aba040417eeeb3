// Package pairwise writes down the pairwise kernels of edges, once: each is a sum of
// products of two node kernels with index maps (Viljanen, Airola and Pahikkala 2022,
// Generalized vec trick for fast learning of pairwise kernel models, section 3). What
// trains with them and what scores with them take the same sums from here; it imports
// nothing.
package pairwise
