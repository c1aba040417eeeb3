// Package pairrank learns to rank from pairwise preferences, and estimates how well a ranker ranks data that it
// has not seen: the error on rows that training leaves out is computed exactly.
//
// Call [Rows] to make a set of rows, labels and queries, or read one with package format/svmlight or
// format/table. Then call
//
//   - [Train], which chooses λ by the held-out error and trains. Its Result has the Model, which scores rows
//     and can be saved, and the Choice with the held-out error;
//   - [Estimate], which returns the held-out error of every λ, its 95 % interval, the error of the whole
//     procedure, and a test against permuted labels.
//
// Package stream trains the same model from rows that do not fit into memory: it reads them once, query by
// query, and keeps their statistics.
//
// Train and Estimate take a [Problem], which holds the data, and [Options]. The zero Options are linear RankRLS
// and leave every choice to the library. The learners are [LeastSquares], [Greedy], [RankSVM] and [RankBoost]. Package
// relation has the same two functions for labelled edges between nodes. A program that only scores imports
// package model alone.
//
// Train works in six steps:
//
//  1. format/svmlight or format/table reads a data.Set: features X, labels y, queries.
//  2. internal/goals turns the set into a Goal: the compared pairs as a Laplacian L and a linear term r.
//  3. internal/learn/rls takes a Basis (Primal X, Dual K from kernel, or Sparse) and factors the problem once into
//     a Path. internal/learn/ranksvm (margins of pairs) and internal/learn/rankboost (sums of stumps) are separate
//     learners.
//  4. internal/holdout asks the Path for the error on held-out queries or pairs at every λ, without retraining,
//     and chooses. For edges it asks the paths of package relation. The estimates are values of eval/cv.
//  5. Path.Refit returns the Fit of the chosen λ. model saves it and scores new rows. With a single λ there is
//     no Path: rls.Solve returns the same Fit.
//  6. eval/metric measures the ranking. eval/compare tests whether it is better than another.
//
// The packages, in the order of the data flow:
//
//	format/svmlight     SVMlight and LETOR text: read, check, write
//	format/parquet      Parquet files
//	format/table        CSV, TSV, .npy and .npz tables, nodes, edges, similarities
//	format/trec         TREC qrels and runs
//	format/foreign      model files of SVMrank, LIBLINEAR and RankLib
//	data                the Set, dense and sparse matrices, rows in groups, normalisation
//	comparison          named items, ranked by comparisons between them
//	scores              systems, ranked by a table of their scores on the same items
//	pref                which rows are compared with which: costs, weights, preferences
//	kernel              linear, Gaussian, polynomial; matrices, single rows, random features
//	stream              RankRLS from statistics of rows that are read once, query by query
//	relation            labelled edges between nodes: train, estimate, the pair model
//	relation/edge       the words of edges: their list, settings, losses, relations, repairs
//	relation/pairwise   the names of the pairwise kernels of edges
//	relation/pairmodel  models of edges: saved, read back, scoring pairs
//	eval/cv             what an estimate is: methods, errors, intervals, ROC curves, the choice
//	eval/metric         how good a ranking is, with the conventions of other tools
//	eval/stability      how much a selection of features depends on the rows
//	eval/compare        whether one ranking is better than another, or it is chance
//	model               models of rows: saved, read back, scoring
//	model/training      the facts of a training, which a model file keeps
//	model/contribution  why a row scores as it does, and stands above another
//	export              models for other programs: search engines, learners, ONNX, source
//	serve               models over HTTP: scores, rankings, explanations, reloads
//	cmd/pairrank        the command; one file a verb, over streams, flags and a table of errors
//	web                 the playground: boards and held-out errors of one table in a browser
//	examples            small programs that use the library
//	release/sbom        the bill of materials of a program (CycloneDX)
//	release/wheel       the Python package with the program inside, for each system
//	internal/rows       what is doubtful about rows, and the facts of least squares
//	internal/compared   rows that are compared by preferences or comparisons, and units of these
//	internal/procedure  choosing, training and estimating, once for every kind of data
//	internal/holdout    the exact error over a path of λ, nested, permuted, on halves
//	internal/goals      who is compared with whom: Laplacians and goals
//	internal/learn/rls  least squares: Basis → Path → Fit, holding out, and sums over queries
//	internal/learn/ranksvm linear RankSVM: hinge and squared hinge, O(ms + m log m)
//	internal/learn/rankboost RankBoost: sums of decision stumps
//	internal/learn/greedy few features for least squares, by greedy search over the held-out error
//	internal/kernels    maps of rows by basis rows
//	internal/knots      knots of single features of a spline
//	internal/kernelsum  weights of a sum of kernels, by the held-out error
//	internal/similarity matrices of similarities: repaired and normalised
//	internal/kron       the algebra of edges between nodes: Kronecker kernels
//	internal/pairterms  the pairwise kernels as sums of Kronecker products
//	internal/doubt      what looks wrong in rows, and what repeats
//	internal/equal      equal rows
//	internal/gaps       what stands for missing values of features
//	internal/joins      parts that grow together
//	internal/pick       the numbers of rows, and the values of some
//	internal/textline   what lines of text have in common
//	internal/board      how comparisons and scores were read, and what is doubtful about them
//	internal/quote      how a field of a table, or an argument in a shell, is quoted
//	internal/report     results as documents of plain data: JSON and text
//	internal/report/page the same as figures with their numbers, in one HTML file
//	internal/linalg     dense products, Cholesky, symmetric eigenproblems, exp, sin and cos
//	internal/krylov     conjugate gradients
//	internal/laplacian  Laplacians of graphs, and approximate factors of them
//	internal/bundle     cutting planes for a convex risk of linear scores
//	internal/linesearch how far to go along a line of scores, and the steps of Newton's method
//	internal/ostat      counting pairs, and summing over them, by order statistics
//	internal/parallel   deterministic parallel loops
//	internal/memory     how much memory there is, and is free
//	internal/codec      gzip and zstd by content
//	internal/blocks     blocks of text, parsed on all cores
//	internal/student    the quantile of Student's t distribution
//	internal/quantile   weighted quantiles of a stream of numbers, in bounded memory
//	internal/ratio      standard errors over independent units, and how many units these are
//	internal/calibration how often pairs are in the right order, by the difference of their scores
//	internal/survival   Kaplan–Meier curves of thirds of the scores
//	internal/checksum   binary files that end with the SHA-256 of the rest
//	internal/figure     drawings as SVG, for light and dark ground
//	internal/fusion     one ranking of the scores of several tools
//	internal/modelfile  the grammar of model files
//	internal/features   whether the features of rows are those of training
//	internal/held       files in memory that stand before those of the disk
//	internal/replace    files written whole or not at all
//	internal/numeral    numbers as powers, and grids of them
//	internal/exit       the exit codes of the programs
//	internal/option     the table of options: what may be asked for, and of whom
//	internal/jsonrows   rows of numbers from JSON, and its values one by one
//	internal/pasted     LETOR text in the pages of a server and of an export
//	internal/spell      the name that was meant by a word
//	fault               the error of training and estimating, as facts
//	event               progress and notes of a computation, and who is told of them
//	internal/codes      the codes of notes and faults, for tables of remedies
//	internal/cellfault  the kinds of what may be wrong with a table
//	internal/npy        arrays of NumPy and archives of them
//	internal/journal    the notes of a computation, kept and passed on
//	internal/await      waiting for work that does not look at a context
//	internal/synth      data of the shapes of public collections, from a seed
//	internal/gen        random problems for tests
//	internal/realdata   where the collections of real data are, which are no part of the project
//	internal/naive      the oracles of tests: explicit pairs, retraining
//	internal/policy     tests over the whole repository
//
// A package that only one other package uses is below it:
//
//   - comparison/internal has the mathematics of boards;
//   - format/internal/rowfile is what a format of tables that is no text registers;
//   - format/table/internal/guess says what the columns of a table may be;
//   - internal/learn/rls/internal/pencil factors, shifts, solves and holds out;
//   - export/internal/plain holds models as plain numbers, export/internal/onnx writes graphs in double precision, and
//     export/internal/source Go, JavaScript, SQL, and a page that scores in the browser;
//   - cmd/pairrank/internal/cli has the streams, flags and progress bar of the command;
//   - cmd/pairrank/internal/advice turns errors of the library into messages about flags;
//   - cmd/pairrank/internal/workers is what the workers of one directory agree on.
//
// Other modules of the repository: beam runs the statistics of package stream on Apache Beam, evidence/papers
// reproduces the experiments of papers, and evidence/checks is run before a release.
//
// Imports run one way, and a test keeps them so.
//
// Notation, everywhere: m rows, n features, q queries, k rank of the basis, s
// non-zeros of a row, v outputs; i and j are rows, λ is written lambda.
// docs/notation.md has the formulas.
package pairrank
