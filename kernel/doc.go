// Package kernel defines the kernels of pairrank: positive semidefinite functions of two rows.
//
//	linear                                  ⟨x,z⟩
//	gaussian:gamma=0.25                     exp(−γ‖x−z‖²)
//	polynomial:gamma=0.5,coef0=1,degree=2   (γ⟨x,z⟩ + c)^d
//	clinical                                mean over variables of 1 − |x−z|/range, or equality
//	fourier:gamma=0.25,features=500,seed=1  ⟨z(x),z(z)⟩ of random features of the Gaussian kernel
//	precomputed                             given as a matrix
//	0.4*linear+0.6*gaussian:gamma=1         a sum; training learns the weights of linear+gaussian:gamma=1
//
// A FeatureMap makes features of single rows. Their inner products are, or approximate, values of a
// kernel. FourierMap makes the random features of Fourier; Nystrom makes features from the kernel
// values with a few basis rows.
//
// Parse and String round-trip. A user's own kernel over values of any type enters as a matrix: Gram
// and Cross compute it, and rls trains with it.
package kernel
