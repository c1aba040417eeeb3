// Package kernel has the kernels of pairrank: positive semidefinite functions
// of two rows.
//
//	linear                                  ⟨x,z⟩
//	gaussian:gamma=0.25                     exp(−γ‖x−z‖²)
//	polynomial:gamma=0.5,coef0=1,degree=2   (γ⟨x,z⟩ + c)^d
//	precomputed                             given as a matrix
//
// Parse and String round-trip. A kernel of one's own over values of any type
// enters as a matrix: Gram and Cross fill it, and rls takes it from there.
package kernel
