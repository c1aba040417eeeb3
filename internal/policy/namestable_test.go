package policy

// exportedNames are the numbers of exported types, functions, methods, constants and variables of the public packages.
var exportedNames = map[string]int{
	".":                   122,
	"comparison":          114,
	"data":                123,
	"eval/compare":        33,
	"eval/cv":             96,
	"eval/metric":         89,
	"eval/stability":      6,
	"event":               7,
	"export":              19,
	"export/onnx":         2,
	"export/source":       4,
	"fault":               17,
	"format/foreign":      7,
	"format/parquet":      10,
	"format/svmlight":     33,
	"format/table":        161,
	"format/trec":         13,
	"kernel":              70,
	"model":               50,
	"model/contribution":  24,
	"model/training":      14,
	"pref":                13,
	"relation":            79,
	"relation/pairmodel":  41,
	"relation/pairwise":   12,
	"relation/similarity": 17,
	"scores":              15,
	"serve":               22,
	"stream":              34,
}

// mostExported bounds their sum.
const mostExported = 1248

// lentTypes are public names that show a type of an internal package.
var lentTypes = []string{
	"comparison.Covariance linalg.Mat",
	"relation.Choice kron.Setting",
	"relation.EarlyStop kron.Edges",
	"relation.Options kron.Loss",
	"relation.Options kron.Relation",
	"relation.Options kron.Setting",
	"relation.Problem kron.Edges",
	"relation.Result kron.EdgeFit",
}

// internalAliases are public aliases of types of internal packages: go doc shows neither their fields nor methods.
var internalAliases = []string{
	"export.RefusedError",
	"model.FeatureError",
	"model.FormatError",
	"relation.Edges",
	"relation.Kind",
	"relation.Loss",
	"relation.Setting",
}
