package cv

// PermutationTest is the outcome of Permutations.
type PermutationTest struct {
	// Error is the error of the real labels, the least over λ.
	Error float64
	// N is the number of permutations; Below counts those whose error is at
	// most Error.
	N, Below int
	// P is (1 + Below)/(1 + N), the p-value with the correction that counts the
	// real labels among the permutations.
	P float64
	// Errors are the errors of the permuted labels, in the order of the draws. For a long list they
	// may be estimates from 16,384 pairs, where these decide whether an error is above Error.
	Errors []float64
}
