package main

func Example() {
	main()
	// Output:
	// λ = 1000, leave-query-out error 0.1236
	// disagreement  0.1375 over 25 queries
	// ndcg@10       0.9017 over 25 queries
	// map           0.8786 over 25 queries
}
