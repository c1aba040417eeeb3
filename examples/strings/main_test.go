package main

func Example() {
	main()
	// Output:
	// λ = 0.1 orders 82% of 33 held-out pairs
	// -0.51  balk
	//  0.45  balked
	//  1.45  balking
	// -0.55  milk
	//  0.42  milked
	//  1.42  milking
}
