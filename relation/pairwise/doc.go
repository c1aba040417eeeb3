// Package pairwise defines the pairwise kernels of edges. Each is a sum of products of two node kernels with
// index maps (Viljanen, Airola and Pahikkala 2022, Generalized vec trick for fast learning of pairwise kernel
// models, section 3).
package pairwise
