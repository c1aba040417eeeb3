package main

import "time"

// commandRow is a row that is a command of pairrank.
type commandRow struct {
	name  string
	args  string   // of pairrank, run in the work folder
	files []string // that it reads
	limit time.Duration
}

// A kernel whose matrix is neither near one nor near the identity on the rows of lists.go.
const gaussian = " --kernel gaussian:gamma=0.1"

// relations has p nodes on both sides, each pair of them an edge.
func relations(verb, p, more string) string {
	nodes := "nodes" + p + ".tsv"
	return verb + " --edges edges" + p + ".tsv --rows " + nodes + " --cols " + nodes +
		" --row-kernel gaussian:gamma=0.1 --col-kernel gaussian:gamma=0.1 " + more
}

// ofRelations are the files of relations.
func ofRelations(p string) []string { return []string{"edges" + p + ".tsv", "nodes" + p + ".tsv"} }

// commandRows are in the order of docs/benchmarks.md.
var commandRows = []commandRow{
	{"start: check 10×8", "check list10.txt", []string{"list10.txt"}, time.Minute},
	{"reading text 10⁶×46", "check big.txt", []string{"big.txt"}, time.Minute},
	{"main job 10⁶×46: 31 λ", "train big.txt -o out.model", []string{"big.txt"}, time.Minute},
	{"text 10⁶×46: one λ", "train big.txt --lambda 1 -o out.model", []string{"big.txt"}, time.Minute},
	{"stream 10⁶×46: ten folds, 31 λ", "train --stream big.txt -o out.model", []string{"big.txt"}, time.Minute},
	{"npz 10⁶×46: one λ", "train big.npz --lambda 1 -o out.model", []string{"big.npz"}, time.Minute},
	{"predict 10⁶×46", "predict big.model big.txt -o out.scores", []string{"big.txt", "big.model"}, time.Minute},

	{"Gaussian dual m=10000: one λ", "train list10000.txt --lambda 1 -o out.model" + gaussian,
		[]string{"list10000.txt"}, time.Minute},
	{"basis 500 m=100000: one λ", "train list100000.txt --basis 500 --lambda 1 -o out.model" + gaussian,
		[]string{"list100000.txt"}, 30 * time.Second},
	{"all pairs m=1000 Gaussian: 31 λ", "train list1000.txt -o out.model" + gaussian, []string{"list1000.txt"},
		time.Minute},
	{"all pairs m=4000 Gaussian: one λ", "cv list4000.txt --lambda 1 --method lpo --interval none" + gaussian,
		[]string{"list4000.txt"}, time.Minute},
	{"one list 400×8: 31 λ", "train list400.txt --lambdas 2^-15:2^15:31 -o out.model", []string{"list400.txt"},
		30 * time.Second},
	{"one list 5000×8: defaults", "train list5000.txt -o out.model", []string{"list5000.txt"}, 30 * time.Second},
	{"one list 20000×8: defaults", "train list20000.txt -o out.model", []string{"list20000.txt"}, 12 * time.Second},
	{"one list 100000×8: defaults", "train list100000.txt -o out.model", []string{"list100000.txt"}, 30 * time.Second},
	{"one list 100000: basis 500 defaults", "train list100000.txt --basis 500 -o out.model" + gaussian,
		[]string{"list100000.txt"}, 30 * time.Second},

	{"news: one λ", "train news.txt --lambda 1 -o out.model", []string{"news.txt"}, 30 * time.Second},
	{"news: kfold:10 default path", "cv news.txt --method kfold:10 --interval none", []string{"news.txt"},
		30 * time.Second},
	{"news: kfold:10 31 λ from 2⁴", "cv news.txt --method kfold:10 --lambdas 2^4:2^24:31 --interval none",
		[]string{"news.txt"}, time.Minute},

	{"ranksvm 20000×8 hinge", "train house20000.txt --learner ranksvm --lambda 0.05 --normalize zscore -o out.model",
		[]string{"house20000.txt"}, time.Minute},
	{"ranksvm 20000×8 squared", "train house20000.txt --learner ranksvm --loss squared-hinge --lambda 0.05 " +
		"--normalize zscore -o out.model", []string{"house20000.txt"}, time.Minute},
	{"ranksvm 100000×8 hinge", "train house100000.txt --learner ranksvm --lambda 0.05 --normalize zscore -o out.model",
		[]string{"house100000.txt"}, time.Minute},
	{"ranksvm 100000×8 squared", "train house100000.txt --learner ranksvm --loss squared-hinge --lambda 0.05 " +
		"--normalize zscore -o out.model", []string{"house100000.txt"}, time.Minute},
	{"ranksvm 10000×20 in 300 queries hinge", "train q300.txt --learner ranksvm --lambda 0.05 -o out.model",
		[]string{"q300.txt"}, time.Minute},
	{"ranksvm 10000×20 in 300 queries squared",
		"train q300.txt --learner ranksvm --loss squared-hinge --lambda 0.05 -o out.model", []string{"q300.txt"},
		time.Minute},
	{"ranksvm RCV1-like 512000", "train rcv512000.svm --learner ranksvm --lambda 1e-5 -o out.model",
		[]string{"rcv512000.svm"}, time.Minute},
	{"ranksvm folds", "cv q1k.txt --learner ranksvm --method kfold:5 --lambdas 1,10 --interval none",
		[]string{"q1k.txt"}, time.Minute},
	{"rankboost folds", "cv q1k.txt --learner rankboost --rounds 50 --method kfold:5 --interval none",
		[]string{"q1k.txt"}, time.Minute},

	{"kron p=500: one λ", relations("train", "500", "--lambda 1 -o out.model"), ofRelations("500"), time.Minute},
	{"kron p=1000: one λ", relations("train", "1000", "--lambda 1 -o out.model"), ofRelations("1000"), time.Minute},
	{"kron p=2000: one λ", relations("train", "2000", "--lambda 1 -o out.model"), ofRelations("2000"), time.Minute},
	{"kron p=1000: each edge left out 31 λ", relations("cv", "1000", "--interval none"), ofRelations("1000"),
		2 * time.Minute},
	{"kron p=1000: both ends left out one λ",
		relations("cv", "1000", "--setting both --loss regression --lambda 1 --interval none"), ofRelations("1000"),
		30 * time.Second},

	{"compare 10000 queries: five metrics",
		"compare q10k.txt --model q10k-a.model --model q10k-b.model --metrics ndcg@10,map,p@5,mrr,disagreement",
		[]string{"q10k.txt", "q10k-a.model", "q10k-b.model"}, time.Minute},
	{"compare 10000 queries: one metric",
		"compare q10k.txt --model q10k-a.model --model q10k-b.model --metrics ndcg@10",
		[]string{"q10k.txt", "q10k-a.model", "q10k-b.model"}, time.Minute},
}

// recipes make files by pairrank itself; lists.go makes the others. A recipe's own
// file is its last word, and files that it reads are made before.
var recipes = map[string]struct {
	args string
	from []string
}{
	"big.txt":         {"synth letor --rows 1000000 --features 46 --queries 4000 --seed 1 -o big.txt", nil},
	"big.model":       {"train big.txt --lambda 1 -o big.model", []string{"big.txt"}},
	"house20000.txt":  {"synth cadata --rows 20000 -o house20000.txt", nil},
	"house100000.txt": {"synth cadata --rows 100000 -o house100000.txt", nil},
	"rcv512000.svm":   {"synth rcv1 --rows 512000 -o rcv512000.svm", nil},
	"q300.txt":        {"synth letor --rows 10000 --features 20 --queries 300 -o q300.txt", nil},
	"q1k.txt":         {"synth letor --rows 100000 --features 46 --queries 1000 -o q1k.txt", nil},
	"q10k.txt":        {"synth letor --rows 100000 --features 20 --queries 10000 -o q10k.txt", nil},
	"q10k-a.model":    {"train q10k.txt --lambda 1 -o q10k-a.model", []string{"q10k.txt"}},
	"q10k-b.model":    {"train q10k.txt --lambda 100000 -o q10k-b.model", []string{"q10k.txt"}},
}

// benchmarkRow is a row that is a Go benchmark.
type benchmarkRow struct{ pkg, pattern string }

// benchmarkRows are in the order of checks/speed.md.
var benchmarkRows = []benchmarkRow{
	{"internal/linalg", "^Benchmark(Gemm|Syrk|Cholesky|SymEigen|GaussianKernel)$/m=(1000|2000|4000)"},
	{"learn/rls", "^Benchmark(Dual|Primal|LeavePairOut)$/m=(1000|2000|10000|100000)"},
	{"eval/cv", "Permutations|Quicksort$"},
	{"learn/ranksvm", "."},
	{"internal/ostat", "Margins"},
	{"relation/kron", "(ClosedForm|Iteration)/p=1000"},
	{"kernel", "Row"},
	{"model", "ScoreLinear|ScoreRow"},
	{"relation/pairmodel", "Scorer"},
	{"format/svmlight", "ReadFile"},
	{"format/table", "ReadNPZ"},
}
