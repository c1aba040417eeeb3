package main

import "time"

// commandRow is a row that is a command of pairrank, or a task of the Python package.
type commandRow struct {
	name  string
	args  string   // of pairrank, run in the work folder; of python.py after the word python
	files []string // that it reads
	limit time.Duration
	work  work
}

// A kernel whose matrix is neither near one nor near the identity on the rows of lists.go.
const gaussian = " --kernel gaussian:gamma=0.1"

// onEdges is a row of p nodes on both sides, each pair of them an edge with one of the labels of writeEdges.
func onEdges(name, verb, labels, p, more string, limit time.Duration, w work) commandRow {
	edges, nodes := labels+p+".tsv", "nodes"+p+".tsv"
	return commandRow{name, "relation " + verb + " " + edges + " --rows " + nodes + " --cols " + nodes +
		" --row-kernel gaussian:gamma=0.1 --col-kernel gaussian:gamma=0.1 " + more, []string{edges, nodes}, limit, w}
}

// estimateLimit is what the defaults of an estimate of relations may take: ten seconds of two cores.
const estimateLimit = 20 * time.Second

// commandRows are the whole commands of evidence/checks/speed.md. Their work counts two operations for a term of a
// product, m³/3 for a Cholesky factor, m³ for an inverse, 10m³/3 for an eigenproblem (the tridiagonal form and the
// vectors), and text and matrices once for each pass. Steps of iterative solvers are as many as they take.
var commandRows = []commandRow{
	{"start: check 10×8", "check list10.txt", []string{"list10.txt"}, time.Minute, work{}},
	{"reading text 10⁶×46", "check big.txt", []string{"big.txt"}, time.Minute, work{0, 0.572, 0}},
	{"main job 10⁶×46: 31 λ", "train big.txt -o out.model",
		[]string{"big.txt"}, time.Minute, work{5.0, 1.68, 31}},
	{"text 10⁶×46: one λ", "train big.txt --lambda 1 -o out.model",
		[]string{"big.txt"}, time.Minute, work{2.1, 1.31, 0}},
	{"stream 10⁶×46: ten folds, 31 λ", "stream train big.txt -o out.model",
		[]string{"big.txt"}, time.Minute, work{2.1, 0.572, 0}},
	{"npz 10⁶×46: one λ", "train big.npz --lambda 1 -o out.model",
		[]string{"big.npz"}, time.Minute, work{2.1, 1.12, 0}},
	{"check CSV 10⁶×46", "check big.csv", []string{"big.csv"}, time.Minute, work{0, 0.42, 0}},
	{"CSV 10⁶×46: one λ", "train big.csv --lambda 1 -o out.model", []string{"big.csv"}, time.Minute,
		work{2.1, 1.16, 0}},
	{"Parquet 10⁶×46: one λ", "train big.parquet --lambda 1 -o out.model", []string{"big.parquet"}, time.Minute,
		work{2.1, 1.1, 0}},
	{"predict 10⁶×46", "predict big.model big.txt -o out.scores",
		[]string{"big.txt", "big.model"}, time.Minute, work{0.09, 0.59, 0}},

	{"Gaussian dual m=10000: one λ", "train list10000.txt --lambda 1 -o out.model" + gaussian,
		[]string{"list10000.txt"}, time.Minute, work{333, 0, 0}},
	{"basis 500 m=100000: one λ", "train list100000.txt --basis 500 --lambda 1 -o out.model" + gaussian,
		[]string{"list100000.txt"}, 30 * time.Second, work{50, 0.008, 0}},
	{"all pairs m=1000 Gaussian: 31 λ", "train list1000.txt -o out.model" + gaussian, []string{"list1000.txt"},
		time.Minute, work{4.3, 0, 0}},
	{"all pairs m=4000 Gaussian: one λ", "cv list4000.txt --lambda 1 --method lpo --interval none" + gaussian,
		[]string{"list4000.txt"}, time.Minute, work{64, 0, 0}},
	{"one list 400×8: 31 λ", "train list400.txt --lambdas 2^-15:2^15:31 -o out.model", []string{"list400.txt"},
		30 * time.Second, work{0.12, 0, 0}},
	{"one list 5000×8: defaults", "train list5000.txt -o out.model",
		[]string{"list5000.txt"}, 30 * time.Second, work{0.0025, 0, 0.155}},
	{"one list 20000×8: defaults", "train list20000.txt -o out.model",
		[]string{"list20000.txt"}, 12 * time.Second, work{0.01, 0.0016, 0.62}},
	{"one list 100000×8: defaults", "train list100000.txt -o out.model",
		[]string{"list100000.txt"}, 30 * time.Second, work{0.05, 0.0078, 3.1}},
	{"one list 100000: basis 500 defaults", "train list100000.txt --basis 500 -o out.model" + gaussian,
		[]string{"list100000.txt"}, 30 * time.Second, work{103, 0.008, 3.1}},

	{"news: one λ", "train news.txt --lambda 1 -o out.model",
		[]string{"news.txt"}, 30 * time.Second, work{0, 115, 0}},
	{"news: kfold:10 default path", "cv news.txt --method kfold:10 --interval none", []string{"news.txt"},
		30 * time.Second, work{0, 5.7, 0}},
	{"news: kfold:10 31 λ from 2⁴", "cv news.txt --method kfold:10 --lambdas 2^4:2^24:31 --interval none",
		[]string{"news.txt"}, time.Minute, work{0, 21, 0}},

	{"golub: 50 features", "train golub.txt --features 50 -o out.model", []string{"golub.txt"}, time.Minute, work{}},
	{"golub: 50 features, one λ", "train golub.txt --features 50 --lambda 1 -o out.model", []string{"golub.txt"},
		time.Minute, work{}},

	{"ranksvm 20000×8 hinge", "train house20000.txt --learner ranksvm --lambda 0.05 --normalize zscore -o out.model",
		[]string{"house20000.txt"}, time.Minute, work{0, 0.027, 0.2}},
	{"ranksvm 20000×8 squared", "train house20000.txt --learner ranksvm --loss squared-hinge --lambda 0.05 " +
		"--normalize zscore -o out.model", []string{"house20000.txt"}, time.Minute, work{0, 0.009, 0.06}},
	{"ranksvm 100000×8 hinge", "train house100000.txt --learner ranksvm --lambda 0.05 --normalize zscore -o out.model",
		[]string{"house100000.txt"}, time.Minute, work{0, 0.134, 1.0}},
	{"ranksvm 100000×8 squared", "train house100000.txt --learner ranksvm --loss squared-hinge --lambda 0.05 " +
		"--normalize zscore -o out.model", []string{"house100000.txt"}, time.Minute, work{0, 0.045, 0.3}},
	{"ranksvm 10000×20 in 300 queries hinge", "train q300.txt --learner ranksvm --lambda 0.05 -o out.model",
		[]string{"q300.txt"}, time.Minute, work{0, 0.015, 0.04}},
	{"ranksvm 10000×20 in 300 queries squared",
		"train q300.txt --learner ranksvm --loss squared-hinge --lambda 0.05 -o out.model", []string{"q300.txt"},
		time.Minute, work{0, 0.012, 0.03}},
	{"ranksvm RCV1-like 512000", "train rcv512000.svm --learner ranksvm --lambda 1e-5 -o out.model",
		[]string{"rcv512000.svm"}, time.Minute, work{0, 13.2, 6.7}},
	{"ranksvm folds", "cv q1k.txt --learner ranksvm --method kfold:5 --lambdas 1,10 --interval none",
		[]string{"q1k.txt"}, time.Minute, work{0, 1.8, 2.4}},
	{"rankboost folds", "cv q1k.txt --learner rankboost --rounds 50 --method kfold:5 --interval none",
		[]string{"q1k.txt"}, time.Minute, work{0, 3.7, 0}},

	onEdges("kron p=500: one λ", "train", "edges", "500",
		"--lambda 1 -o out.model", time.Minute, work{1.8, 0.004, 0}),
	onEdges("kron p=1000: one λ", "train", "edges", "1000",
		"--lambda 1 -o out.model", time.Minute, work{14.7, 0.016, 0}),
	onEdges("kron p=2000: one λ", "train", "edges", "2000",
		"--lambda 1 -o out.model", time.Minute, work{117, 0.07, 0}),
	onEdges("kron p=1000: each edge left out 31 λ", "cv", "edges", "1000",
		"--interval none", 2*time.Minute, work{263, 0.016, 0}),
	onEdges("kron p=1000: both ends left out one λ", "cv", "edges", "1000",
		"--setting both --loss regression --lambda 1 --interval none", 30*time.Second, work{32, 0.016, 0}),
	onEdges("kron p=1000: a tenth of the edges one λ", "train", "tenth", "1000",
		"--lambda 0.1 -o out.model", time.Minute, work{}),
	onEdges("kron p=125: cv defaults, random labels", "cv", "edges", "125", "", estimateLimit, work{}),
	onEdges("kron p=250: cv defaults, random labels", "cv", "edges", "250", "", estimateLimit, work{}),
	onEdges("kron p=1000: cv defaults, random labels", "cv", "edges", "1000", "", estimateLimit, work{}),
	onEdges("kron p=125: cv defaults, real labels", "cv", "signal", "125", "", estimateLimit, work{}),
	onEdges("kron p=250: cv defaults, real labels", "cv", "signal", "250", "", estimateLimit, work{}),
	onEdges("kron p=1000: cv defaults, real labels", "cv", "signal", "1000", "", estimateLimit, work{}),
	onEdges("kron p=125: cv defaults, 0/1 labels", "cv", "class", "125", "", estimateLimit, work{}),
	onEdges("kron p=250: cv defaults, 0/1 labels", "cv", "class", "250", "", estimateLimit, work{}),
	onEdges("kron p=1000: cv defaults, 0/1 labels", "cv", "class", "1000", "", estimateLimit, work{}),

	{"board of 3000 items, intervals", "leaderboard board3000.csv", []string{"board3000.csv"}, 30 * time.Second, work{}},
	{"board of 10⁶ items, 10⁷ lines", "leaderboard board1000000.csv", []string{"board1000000.csv"}, 2 * time.Minute,
		work{}},

	{"Python: fit 100000×46", "python fit", nil, time.Minute, work{}},
	{"Python: fit, predict 100000×46 ten times", "python predict", nil, time.Minute, work{}},
	{"Python: fit, predict one row 1000 times", "python row", nil, time.Minute, work{}},

	{"compare 10000 queries: five metrics",
		"compare q10k.txt --model q10k-a.model --model q10k-b.model --metrics ndcg@10,map,p@5,mrr,disagreement",
		[]string{"q10k.txt", "q10k-a.model", "q10k-b.model"}, time.Minute, work{}},
	{"compare 10000 queries: one metric",
		"compare q10k.txt --model q10k-a.model --model q10k-b.model --metrics ndcg@10",
		[]string{"q10k.txt", "q10k-a.model", "q10k-b.model"}, time.Minute, work{}},
}

// recipe is a command of pairrank that makes a file.
type recipe struct {
	args string
	from []string
}

// recipes make files by pairrank itself; lists.go makes the others. A recipe's own
// file is its last word, and files that it reads are made before.
var recipes = map[string]recipe{
	"big.txt":         {"synth letor --rows 1000000 --features 46 --queries 4000 --seed 1 -o big.txt", nil},
	"big.csv":         {"convert big.txt big.csv", []string{"big.txt"}},
	"big.parquet":     {"convert big.txt big.parquet", []string{"big.txt"}},
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

// benchmarkRows are in the order of evidence/checks/speed.md.
var benchmarkRows = []benchmarkRow{
	{"internal/linalg", "^Benchmark(Gemm|Syrk|Cholesky|SymEigen|GaussianKernel)$/m=(1000|2000|4000)"},
	{"internal/learn/rls", "^Benchmark(Dual|Primal|LeavePairOut)$/m=(1000|2000|10000|100000)"},
	{"internal/holdout", "Permutations"},
	{"internal/learn/ranksvm", "."},
	{"internal/ostat", "Margins"},
	{"internal/kron", "(ClosedForm|Iteration)/p=1000"},
	{"kernel", "Row"},
	{"model", "ScoreLinear|ScoreRow"},
	{"relation/pairmodel", "Scorer"},
	{"format/svmlight", "ReadFile"},
	{"format/table", "ReadNPZ"},
}
