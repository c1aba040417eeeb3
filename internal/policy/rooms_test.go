package policy

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// room is what a package may import besides the standard library: packages of this module, without its path, and
// other modules. Its tests may also import what is listed for tests.
type room struct {
	ours, modules         []string
	testOurs, testModules []string
}

func words(s string) []string { return strings.Fields(s) }

// entrance is the root package in the lists of imports.
const entrance = "pairrank"

// rooms is the import graph, from packages that import nothing of this module to those that import everything. A
// package that is not listed is not allowed. docs/decisions/rooms.md gives the reasons.
var rooms = map[string]room{
	// The entrance, and reports of its results.
	"": {
		ours: words("comparison data eval/cv eval/metric eval/stability event fault internal/await internal/codes " +
			"internal/compared internal/doubt internal/goals internal/holdout internal/journal internal/kernels " +
			"internal/kernelsum internal/knots internal/krylov internal/learn/greedy internal/learn/rankboost " +
			"internal/learn/ranksvm internal/learn/rls internal/linalg internal/memory internal/parallel " +
			"internal/pick internal/procedure internal/rows internal/spell kernel model model/contribution " +
			"model/training pref"),
		testOurs: words("internal/gen internal/goals internal/holdout internal/naive internal/ratio internal/report " +
			"internal/report/page internal/synth"),
	},
	"internal/rows": {
		ours: words("data eval/cv eval/metric event fault internal/codes internal/doubt internal/goals " +
			"internal/learn/ranksvm internal/learn/rls internal/memory model/training pref"),
	},
	"internal/compared": {
		ours: words("comparison data eval/cv eval/metric fault internal/codes internal/goals internal/holdout " +
			"internal/procedure internal/ratio internal/spell kernel pref"),
	},
	"stream": {
		ours: words("pairrank data eval/cv eval/metric event fault internal/checksum internal/codes " +
			"internal/goals internal/holdout internal/journal internal/kernels internal/knots " +
			"internal/learn/rls internal/memory internal/parallel internal/pick internal/procedure " +
			"internal/quantile internal/ratio internal/rows internal/spell kernel model model/training " +
			"pref"),
		testOurs: words("internal/gen internal/kernels internal/naive"),
	},
	"internal/report/page": {
		ours: words("internal/figure internal/report"),
		testOurs: words("pairrank comparison data eval/compare eval/cv eval/metric format/table internal/calibration " +
			"kernel model model/contribution relation scores"),
	},
	"internal/figure": {},
	"internal/pasted": {},
	"internal/report": {
		ours: words("pairrank comparison data eval/compare eval/cv eval/metric event internal/calibration " +
			"internal/doubt internal/figure internal/linalg internal/memory internal/quote internal/ratio " +
			"internal/spell internal/student internal/survival model model/contribution model/training " +
			"relation relation/edge relation/pairmodel scores"),
		testOurs: words("kernel"),
	},

	"release/sbom":  {},
	"release/wheel": {},

	// The playground, in a browser.
	"web": {
		ours: words("pairrank comparison data eval/cv eval/metric event fault format/svmlight format/table " +
			"internal/board internal/codec internal/codes internal/pick internal/quote internal/report " +
			"internal/report/page internal/spell scores"),
	},

	// The ground: nothing of ours but the parallel loop.
	"internal/parallel":  {},
	"internal/jsonrows":  {},
	"internal/ostat":     {ours: words("internal/parallel"), testOurs: words("internal/gen")},
	"internal/checksum":  {},
	"internal/student":   {},
	"internal/quantile":  {},
	"internal/survival":  {ours: words("internal/ostat internal/pick")},
	"internal/krylov":    {ours: words("fault")},
	"internal/laplacian": {ours: words("internal/parallel"), testOurs: words("internal/krylov")},
	"internal/memory":    {},
	"internal/held":      {},
	"internal/codec":     {ours: words("internal/held"), modules: words("github.com/klauspost/compress")},
	"internal/blocks":    {ours: words("internal/codec")},
	"internal/replace":   {ours: words("internal/await internal/held")},
	"internal/spell":     {},
	"internal/quote":     {},
	"internal/fusion":    {ours: words("data")},
	"internal/numeral":   {},
	"fault":              {},
	"event":              {},
	"internal/codes":     {ours: words("event fault")},
	"internal/cellfault": {},
	"internal/npy": {ours: words("data internal/codec internal/held internal/memory internal/parallel " +
		"internal/textline")},
	"relation/edge":    {ours: words("relation/pairwise")},
	"internal/journal": {ours: words("event")},
	"internal/await":   {},
	"internal/linalg": {
		ours: words("internal/parallel"), modules: words("golang.org/x/sys"),
		testModules: words("gonum.org/v1/gonum"),
	},
	"internal/linesearch": {ours: words("internal/linalg internal/parallel")},
	"internal/bundle":     {ours: words("internal/linalg internal/linesearch internal/parallel"), testOurs: words("data")},

	// Data, and its readers.
	"data":          {ours: words("internal/linalg internal/parallel internal/pick"), testOurs: words("internal/equal")},
	"internal/gaps": {ours: words("data")},
	"pref":          {},
	"eval/metric": {
		ours:     words("data internal/ostat internal/parallel internal/spell internal/student"),
		testOurs: words("internal/realdata"),
	},
	"eval/compare": {
		ours: words("data eval/cv eval/metric internal/parallel internal/pick internal/ratio internal/spell " +
			"internal/student internal/survival"),
	},
	"internal/ratio": {ours: words("eval/metric internal/spell"), testOurs: words("internal/naive")},
	"internal/calibration": {
		ours:     words("data eval/metric internal/ratio internal/student"),
		testOurs: words("internal/naive"),
	},
	"eval/stability": {ours: words("internal/student")},
	"format/svmlight": {
		ours: words("data internal/blocks internal/codec internal/doubt internal/gaps internal/memory " +
			"internal/parallel internal/textline"),
		testOurs: words("internal/synth internal/textline"),
	},
	"format/internal/rowfile":     {ours: words("data")},
	"format/table/internal/guess": {ours: words("internal/doubt")},
	"format/table": {
		ours: words("data format/internal/rowfile format/table/internal/guess internal/blocks internal/cellfault " +
			"internal/codec internal/doubt internal/gaps internal/jsonrows internal/memory internal/npy " +
			"internal/parallel internal/pick internal/quote internal/textline"),
		testOurs: words("internal/held internal/realdata internal/textline"),
	},
	"format/parquet": {
		ours:    words("data format/internal/rowfile format/table internal/cellfault internal/codec internal/parallel"),
		modules: words("github.com/parquet-go/parquet-go"),
	},
	"format/trec": {ours: words("data eval/metric internal/codec internal/memory internal/textline")},

	// Learning.
	"kernel": {
		ours: words("data internal/gaps internal/knots internal/linalg internal/numeral internal/parallel " +
			"internal/spell"),
		testOurs: words("internal/gen internal/kernels"),
	},
	"internal/knots": {ours: words("internal/spell")},
	"internal/learn/rls/internal/pencil": {
		ours:     words("data internal/goals internal/linalg internal/ostat internal/parallel internal/pick pref"),
		testOurs: words("data internal/gen internal/goals internal/naive"),
	},
	"internal/learn/rls": {
		ours: words("data internal/checksum internal/equal internal/goals internal/kernels internal/krylov " +
			"internal/learn/rls/internal/pencil internal/linalg internal/parallel internal/pick kernel pref"),
		testOurs: words("internal/gen internal/goals internal/naive"),
	},
	"relation/pairwise": {},
	"internal/kernelsum": {
		ours:     words("data internal/goals internal/linalg internal/parallel relation/edge"),
		testOurs: words("internal/gen internal/naive pref"),
	},
	"internal/kron": {
		ours: words("data internal/krylov internal/linalg internal/pairterms internal/parallel relation/edge " +
			"relation/pairwise"),
		testOurs: words("internal/gen internal/naive kernel"),
	},
	"internal/learn/ranksvm": {
		ours: words("data internal/bundle internal/goals internal/krylov internal/linalg internal/linesearch " +
			"internal/ostat internal/parallel internal/student pref"),
		testOurs: words("format/svmlight internal/gen internal/goals internal/naive internal/realdata"),
	},
	"internal/learn/greedy": {
		ours:     words("data internal/goals internal/linalg internal/parallel internal/pick pref"),
		testOurs: words("internal/gen internal/goals"),
	},
	"internal/learn/rankboost": {
		ours:     words("data internal/goals internal/parallel internal/student model pref"),
		testOurs: words("internal/gen internal/goals internal/naive"),
	},
	"comparison/internal/incidence": {ours: words("data internal/joins internal/laplacian internal/parallel")},
	"comparison/internal/outcome":   {ours: words("data")},
	"comparison/internal/draw":      {},
	"comparison/internal/deviation": {ours: words("internal/linalg internal/parallel internal/pick")},
	"comparison/internal/design":    {ours: words("internal/linalg")},
	"comparison/internal/cycles": {
		ours: words("comparison/internal/dense comparison/internal/draw comparison/internal/outcome internal/linalg"),
	},
	"comparison/internal/dense": {
		ours: words("comparison/internal/incidence comparison/internal/large comparison/internal/outcome data " +
			"internal/linalg internal/linesearch internal/parallel"),
	},
	"comparison/internal/large": {
		ours: words("comparison/internal/incidence comparison/internal/outcome data internal/krylov " +
			"internal/laplacian internal/linalg internal/linesearch internal/parallel"),
	},
	"comparison": {
		ours: words("comparison/internal/cycles comparison/internal/dense comparison/internal/design " +
			"comparison/internal/deviation comparison/internal/draw comparison/internal/incidence " +
			"comparison/internal/large comparison/internal/outcome data eval/cv eval/metric event fault " +
			"internal/codes internal/holdout internal/journal internal/krylov internal/linalg " +
			"internal/memory internal/parallel internal/pick internal/procedure internal/ratio " +
			"internal/spell internal/student model"),
		testOurs: words("comparison/internal/cycles comparison/internal/dense internal/realdata"),
	},
	"internal/board": {ours: words("comparison event format/table internal/codes internal/quote internal/spell scores")},
	"scores": {
		ours: words("data event fault internal/journal internal/linalg internal/parallel internal/pick internal/spell " +
			"internal/student"),
	},
	// How something is learnt and estimated, of every kind of data.
	"internal/procedure": {
		ours: words("data eval/cv eval/metric event fault internal/codes internal/holdout internal/journal " +
			"internal/pick internal/ratio internal/spell"),
	},
	"eval/cv": {
		ours: words("eval/metric internal/parallel internal/pick internal/ratio internal/spell internal/student " +
			"kernel"),
		testOurs: words("internal/holdout internal/naive"),
	},
	"internal/holdout": {
		ours: words("data eval/cv eval/metric fault internal/goals internal/joins internal/learn/rls " +
			"internal/ostat internal/parallel internal/pick internal/ratio internal/spell " +
			"internal/student pref"),
		testOurs: words("data eval/cv eval/metric internal/gen internal/goals internal/learn/rls internal/naive " +
			"internal/parallel internal/student kernel pref"),
	},
	"internal/doubt": {
		ours:     words("data internal/equal internal/gaps internal/joins internal/parallel internal/pick"),
		testOurs: words("data"),
	},
	"internal/equal": {ours: words("data internal/parallel"), testOurs: words("data")},
	"internal/goals": {
		ours:     words("data internal/joins internal/linalg internal/ostat internal/parallel internal/pick pref"),
		testOurs: words("data internal/gen internal/naive pref"),
	},
	"internal/joins": {ours: words("data")},
	"internal/pick":  {},
	"internal/kernels": {ours: words("data internal/linalg internal/numeral internal/parallel kernel"),
		testOurs: words("data internal/gen kernel")},
	"internal/pairterms": {ours: words("relation/pairwise"), testOurs: words("internal/naive relation/pairwise")},
	"internal/textline":  {ours: words("data")},
	"internal/features":  {ours: words("fault internal/pick")},
	"internal/modelfile": {ours: words("data fault internal/parallel kernel model/training")},
	"model/training":     {ours: words("data")},
	"model": {
		ours: words("data internal/features internal/gaps internal/knots internal/linalg internal/modelfile " +
			"internal/parallel internal/replace kernel model/training"),
		testOurs:    words("fault internal/gen"),
		testModules: words("github.com/google/go-cmp"),
	},
	"model/contribution": {ours: words("data internal/gaps kernel model"), testOurs: words("fault internal/gen")},
	"relation/pairmodel": {
		ours: words("data internal/features internal/linalg internal/modelfile internal/pairterms internal/parallel " +
			"internal/pick internal/replace kernel model model/contribution model/training relation/pairwise"),
		testOurs:    words("fault internal/gen internal/pairterms"),
		testModules: words("github.com/google/go-cmp"),
	},

	// Models for other programs, and from them.
	"export/internal/plain": {ours: words("data fault internal/gaps internal/modelfile internal/parallel model"),
		testOurs: words("kernel")},
	"export/internal/onnx": {
		ours: words("data export/internal/plain fault internal/pairterms kernel model relation/pairmodel " +
			"relation/pairwise"),
		modules:  words("google.golang.org/protobuf"),
		testOurs: words("internal/gen"),
	},
	"export/internal/source": {ours: words("export/internal/plain fault internal/pasted model"),
		testOurs: words("data internal/gaps kernel")},
	"export": {
		ours: words("data eval/metric export/internal/onnx export/internal/plain export/internal/source fault " +
			"internal/spell model relation/pairmodel"),
		testOurs: words("format/foreign kernel relation/pairwise"),
	},
	"format/foreign": {ours: words("data fault internal/codec internal/modelfile internal/spell kernel model")},

	"internal/similarity": {ours: words("data internal/linalg internal/parallel relation/edge"),
		testOurs: words("kernel")},
	"relation": {
		ours: words("data eval/cv eval/metric event fault internal/await internal/codes internal/holdout " +
			"internal/journal internal/kernelsum internal/kron internal/krylov internal/linalg " +
			"internal/memory internal/parallel internal/pick internal/procedure internal/ratio " +
			"internal/similarity internal/spell kernel model/training relation/edge relation/pairmodel " +
			"relation/pairwise"),
		testOurs: words("format/table internal/gen internal/holdout internal/naive internal/realdata"),
	},

	// Serving: scorers and explanations, no learners.
	"serve": {
		ours: words("data format/table internal/codec internal/gaps internal/jsonrows internal/memory " +
			"internal/pasted internal/spell model model/contribution relation/pairmodel"),
		modules:     words("github.com/prometheus/client_golang"),
		testOurs:    words("kernel relation/pairwise"),
		testModules: words("go.uber.org/goleak"),
	},

	// The command, the only room that imports all.
	"cmd/pairrank": {
		ours: words("pairrank cmd/pairrank/internal/advice cmd/pairrank/internal/cli " +
			"cmd/pairrank/internal/workers comparison data eval/compare eval/cv eval/metric event export " +
			"fault format/foreign format/parquet format/svmlight format/table format/trec internal/board " +
			"internal/calibration internal/cellfault internal/codec internal/codes internal/doubt " +
			"internal/fusion internal/gaps internal/held internal/knots internal/memory internal/npy " +
			"internal/numeral internal/option internal/parallel internal/pick internal/quote " +
			"internal/ratio internal/replace internal/report internal/report/page internal/rows " +
			"internal/spell internal/synth kernel model model/contribution model/training pref relation " +
			"relation/edge relation/pairmodel relation/pairwise scores serve stream"),
		modules:     words("github.com/spf13/cobra github.com/spf13/pflag"),
		testOurs:    words("internal/gen internal/holdout internal/learn/ranksvm internal/naive"),
		testModules: words("github.com/klauspost/compress github.com/rogpeppe/go-internal golang.org/x/sys"),
	},
	"internal/option":               {ours: words("internal/numeral internal/spell")},
	"internal/exit":                 {ours: words("fault")},
	"cmd/pairrank/internal/workers": {ours: words("internal/replace")},
	"cmd/pairrank/internal/advice": {
		ours: words("cmd/pairrank/internal/cli event fault internal/codes internal/learn/ranksvm internal/option " +
			"internal/quote internal/report"),
		testOurs: words("eval/cv kernel pairrank"),
	},
	"cmd/pairrank/internal/cli": {
		ours: words("data fault internal/await internal/codec internal/exit internal/held internal/memory " +
			"internal/option internal/quote internal/replace internal/report internal/spell"),
		modules: words("github.com/spf13/cobra github.com/spf13/pflag github.com/vbauerster/mpb/v8 golang.org/x/sys " +
			"golang.org/x/term"),
	},

	// Synthetic data, and packages for tests alone.
	"internal/synth":    {ours: words("data internal/parallel"), testOurs: words("format/svmlight")},
	"internal/gen":      {ours: words("data")},
	"internal/realdata": {},
	"internal/naive":    {},
	"internal/policy":   {},

	// Examples import what a user can: no internal package.
	"examples/graphs":      {ours: words("pairrank data kernel")},
	"examples/leaderboard": {ours: words("comparison format/table")},
	"examples/letor":       {ours: words("pairrank data eval/metric format/svmlight")},
	"examples/patients":    {ours: words("pairrank data format/svmlight model")},
	"examples/strings":     {ours: words("pairrank data kernel")},
}

// oracles are imported by tests only, and so are the modules.
var (
	oracles       = words("internal/gen internal/naive internal/policy")
	oracleModules = words("gonum.org/v1/gonum github.com/google/go-cmp github.com/rogpeppe/go-internal " +
		"go.uber.org/goleak")
)

func TestRoomsImportOneWay(t *testing.T) {
	g := graph{used: map[string]bool{}, wrong: map[string]bool{}}
	for _, b := range builds {
		g.check(b.packages(t))
	}
	for name, r := range rooms {
		for _, entry := range slices.Concat(r.ours, r.modules, r.testOurs, r.testModules) {
			if !g.used[name+" "+entry] {
				g.wrong["the table lets "+name+" import "+entry+", which it does not: take that out"] = true
			}
		}
	}
	for _, complaint := range slices.Sorted(maps.Keys(g.wrong)) {
		t.Error(complaint)
	}
}
