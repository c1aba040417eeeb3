package main

func Example() {
	main()
	// Output:
	// λ = 0.01  error 0.000
	// λ = 0.1   error 0.000
	// λ = 1     error 0.014
	// λ = 10    error 0.056
	// chosen: λ = 0.1, by 50 parses of 10 sentences
	// score +0.47  goodness 1.00
	// score +0.32  goodness 0.83
	// score +0.12  goodness 0.67
	// score -0.08  goodness 0.33
}
