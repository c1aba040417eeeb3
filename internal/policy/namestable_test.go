package policy

// exportedNames are the numbers of exported types, functions, methods, constants and variables of the public packages.
var exportedNames = map[string]int{
	".":                  50,
	"comparison":         94,
	"data":               124,
	"eval/compare":       33,
	"eval/cv":            90,
	"eval/metric":        73,
	"eval/stability":     6,
	"event":              7,
	"export":             15,
	"fault":              27,
	"format/foreign":     6,
	"format/parquet":     6,
	"format/svmlight":    30,
	"format/table":       95,
	"format/trec":        11,
	"kernel":             63,
	"model":              48,
	"model/contribution": 24,
	"model/training":     14,
	"pref":               13,
	"relation":           43,
	"relation/edge":      23,
	"relation/pairmodel": 37,
	"relation/pairwise":  12,
	"scores":             13,
	"serve":              13,
	"stream":             28,
}

// mostExported bounds their sum.
const mostExported = 998

// lentTypes are public names that show a type of an internal package.
var lentTypes = []string{}

// internalAliases are public aliases of types of internal packages: go doc shows neither their fields nor methods.
var internalAliases = []string{}
