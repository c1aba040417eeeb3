package main

func Example() {
	main()
	// Output:
	// λ = 512, leave-query-out error 0.1229
	// pooled-disagreement  0.1336 over 25 queries
	// ndcg@10              0.9067 over 25 queries
	// map                  0.8816 over 25 queries
}
