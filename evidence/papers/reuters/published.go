package main

// quoted is what tables 4 and 5 of the paper say of a topic: AUC with its 95 %
// interval of each learner, and the documents of the topic in training and test.
type quoted struct {
	topic                 string
	rankRLS, rls, rankSVM published
	train, test           int
}

// published is an AUC with its 95 % interval.
type published struct{ auc, lo, hi float64 }

// paperTest is how many documents the paper tests on.
const paperTest = 12397

var paper = []quoted{
	{"acq", published{0.980, 0.978, 0.983}, published{0.979, 0.977, 0.982}, published{0.979, 0.977, 0.982}, 94, 2275},
	{"bop", published{0.966, 0.947, 0.985}, published{0.880, 0.843, 0.917}, published{0.966, 0.949, 0.983}, 4, 101},
	{"cocoa", published{0.931, 0.891, 0.970}, published{0.837, 0.776, 0.899}, published{0.923, 0.881, 0.966}, 2, 71},
	{"coffee", published{0.969, 0.948, 0.990}, published{0.962, 0.950, 0.975}, published{0.962, 0.939, 0.984}, 5, 134},
	{"corn", published{0.970, 0.959, 0.982}, published{0.950, 0.936, 0.964}, published{0.966, 0.956, 0.975}, 11, 226},
	{"cpi", published{0.947, 0.925, 0.969}, published{0.601, 0.555, 0.648}, published{0.947, 0.925, 0.969}, 3, 94},
	{"crude", published{0.976, 0.969, 0.982}, published{0.975, 0.969, 0.982}, published{0.976, 0.970, 0.983}, 23, 555},
	{"dlr", published{0.971, 0.961, 0.981}, published{0.946, 0.926, 0.965}, published{0.972, 0.962, 0.982}, 10, 165},
	{"earn", published{0.994, 0.993, 0.995}, published{0.993, 0.991, 0.994}, published{0.994, 0.992, 0.995}, 158, 3806},
	{"gnp", published{0.987, 0.981, 0.993}, published{0.923, 0.891, 0.956}, published{0.987, 0.980, 0.993}, 5, 131},
	{"gold", published{0.970, 0.953, 0.986}, published{0.922, 0.897, 0.948}, published{0.960, 0.940, 0.980}, 4, 120},
	{"grain", published{0.979, 0.973, 0.985}, published{0.974, 0.968, 0.980}, published{0.979, 0.974, 0.984}, 23, 559},
	{"interest", published{0.965, 0.956, 0.974}, published{0.952, 0.941, 0.962},
		published{0.968, 0.960, 0.976}, 19, 459},
	{"livestock", published{0.701, 0.642, 0.761}, published{0.637, 0.578, 0.696},
		published{0.741, 0.698, 0.784}, 3, 96},
	{"money-fx", published{0.954, 0.946, 0.962}, published{0.947, 0.938, 0.957},
		published{0.959, 0.952, 0.966}, 28, 689},
	{"money-supply", published{0.949, 0.930, 0.968}, published{0.907, 0.877, 0.937},
		published{0.963, 0.950, 0.976}, 7, 165},
	{"nat-gas", published{0.957, 0.933, 0.981}, published{0.941, 0.920, 0.962}, published{0.957, 0.933, 0.981}, 5, 100},
	{"oilseed", published{0.898, 0.877, 0.919}, published{0.816, 0.783, 0.849}, published{0.895, 0.873, 0.918}, 6, 165},
	{"reserves", published{0.943, 0.908, 0.977}, published{0.511, 0.458, 0.564}, published{0.920, 0.902, 0.938}, 2, 71},
	{"ship", published{0.949, 0.934, 0.963}, published{0.925, 0.907, 0.942}, published{0.951, 0.939, 0.964}, 13, 273},
	{"soybean", published{0.876, 0.839, 0.913}, published{0.805, 0.757, 0.853}, published{0.882, 0.848, 0.916}, 4, 107},
	{"sugar", published{0.985, 0.979, 0.991}, published{0.964, 0.952, 0.976}, published{0.977, 0.970, 0.985}, 6, 156},
	{"trade", published{0.978, 0.970, 0.986}, published{0.969, 0.960, 0.977}, published{0.982, 0.976, 0.988}, 20, 466},
	{"veg-oil", published{0.890, 0.865, 0.914}, published{0.697, 0.656, 0.739}, published{0.853, 0.818, 0.888}, 4, 120},
	{"wheat", published{0.984, 0.978, 0.990}, published{0.976, 0.969, 0.983}, published{0.983, 0.978, 0.989}, 12, 271},
}
