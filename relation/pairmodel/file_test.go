package pairmodel

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/relation/pairwise"
)

// pairExamples is a pairwise model of every form.
func pairExamples() map[string]*Model {
	gaussian := Side{Kernel: kernel.Gaussian{Gamma: 0.1}, Support: random(3, 2, 1),
		ID: []string{"", "a <b>\n", "größe"}}
	sparsely := Side{Kernel: kernel.Polynomial{Gamma: 0.5, Coef0: 1, Degree: 2}, Support: sparse(random(2, 4, 2)),
		Names: []string{"w", "x", "y", "z"}, ID: []string{"t1", "t2"}, Normalize: true}
	given := Side{Kernel: kernel.Precomputed{}, ID: []string{"p", "q"}}
	diagonal := given
	diagonal.Normalize, diagonal.Diag, diagonal.Shift = true, []float64{1.0 / 3, 2}, 0.1
	linear, named := Side{Kernel: kernel.Linear{}, Normalize: true},
		Side{Kernel: kernel.Linear{}, Names: []string{"x", "y"}}
	edges := &EdgeCoef{Row: []int32{2, 0, 2}, Col: []int32{1, 0, 1}, Value: []float64{1.0 / 3, -0.25, 1e300}}
	models := map[string]*Model{}
	for name, p := range map[string]*Model{
		"dense":               {Kernel: pairwise.Kronecker, Rows: gaussian, Cols: &sparsely, Coef: random(3, 2, 3)},
		"edges":               {Kernel: pairwise.Cartesian, Rows: gaussian, Cols: &sparsely, Edges: edges},
		"one domain":          {Kernel: pairwise.Metric, Rows: gaussian, Coef: random(3, 3, 4)},
		"one domain, edges":   {Kernel: pairwise.Reciprocal, Rows: gaussian, Edges: edges},
		"precomputed":         {Kernel: pairwise.Poly2, Rows: gaussian, Cols: &given, Edges: edges},
		"precomputed, mended": {Kernel: pairwise.Ranking, Rows: diagonal, Coef: random(2, 2, 5)},
		"no edges": {Kernel: pairwise.Linear, Rows: sparsely,
			Edges: &EdgeCoef{[]int32{}, []int32{}, []float64{}}},
		"no nodes": {Kernel: pairwise.Symmetric, Rows: Side{Kernel: kernel.Linear{},
			Support: data.NewDense(0, 2, nil), ID: []string{}}, Coef: data.NewDense(0, 0, nil)},
		"weights":             {Kernel: pairwise.Kronecker, Rows: linear, Cols: &named, Weights: random(3, 2, 6)},
		"weights, one domain": {Kernel: pairwise.Kronecker, Rows: named, Weights: random(2, 2, 7)},
		"no weights":          {Kernel: pairwise.Kronecker, Rows: linear, Weights: data.NewDense(0, 0, nil)},
		"similarity":          {Kernel: Similarity, Rows: Side{Kernel: kernel.Gaussian{Gamma: 1}}},
		"similarity, names": {Kernel: Similarity,
			Rows: Side{Kernel: kernel.Linear{}, Names: []string{"x", "y"}, Normalize: true}},
		"similarity of a matrix": {Kernel: Similarity, Rows: Side{Kernel: kernel.Precomputed{}, Normalize: true}},
	} {
		p.Info = someInfo()
		models[name] = p
	}
	return models
}

func TestPairsWriteReadWrite(t *testing.T) {
	for name, m := range pairExamples() {
		text := written(m)
		back, err := read(text)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		if diff := cmp.Diff(m, back); diff != "" {
			t.Errorf("%s: written and read (-want +got)\n%s", name, diff)
		}
		if again := written(back); !bytes.Equal(text, again) {
			t.Errorf("%s: written again\n%s\nwant\n%s", name, again, text)
		}
		if !bytes.HasPrefix(text, []byte("pairrank model 3\n")) {
			t.Errorf("%s: begins with %q, want version 3", name, text[:17])
		}
	}
}

func TestPairsTruncatedAndAltered(t *testing.T) {
	text := written(pairExamples()["edges"])
	for end := 1; end < len(text); end++ {
		if _, err := read(text[:end]); !errors.Is(err, model.ErrTruncated) {
			t.Fatalf("cut after %d of %d bytes: %v, want model.ErrTruncated", end, len(text), err)
		}
	}
	first, last := bytes.IndexByte(text, '\n'), bytes.LastIndexByte(text[:len(text)-1], '\n')
	for at := range text {
		changed := bytes.Clone(text)
		changed[at] ^= 1
		_, err := read(changed)
		var format *fault.FormatError
		if !errors.As(err, &format) || at > first && at < last && !errors.Is(err, model.ErrAltered) {
			t.Fatalf("byte %d changed: %v, want a *fault.FormatError, model.ErrAltered within", at, err)
		}
	}
	crlf := bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	if _, err := read(crlf); !errors.Is(err, model.ErrAltered) {
		t.Errorf("CRLF: %v, want model.ErrAltered", err)
	}
}

// Beginnings of files, and the errors of the lines that follow.
const (
	pairHead  = "learner condrank\npairwise kronecker\ndomains 1\nrow-kernel linear\n"
	pairNodes = pairHead + "row-features 1\nrow-nodes 2\n\"a\"\n\"b\"\n"
	pairShape = pairNodes + "row-support dense\n1\n2\n"
	pairGiven = "learner condrank\npairwise kronecker\ndomains 1\nrow-kernel precomputed\nrow-nodes 1\n\"a\"\n"
)

var pairFaults = []struct{ body, want string }{
	{"learner condrank\n", "m.txt:2: the entry pairwise is missing"},
	{"learner condrank\npairwise kronecker\ndomains 1\n", "the entry row-kernel is missing"},
	{"pairwise other\n", "m.txt:2: pairwise: unknown kernel \"other\": known are kronecker, symmetric"},
	{"domains 3\n", "m.txt:2: domains: there are 1 or 2 domains, not \"3\""},
	{"col-kernel linear\n", "m.txt:2: col-kernel: stands without two domains"},
	{"domains 1\ncol-kernel linear\n", "m.txt:3: col-kernel: stands without two domains"},
	{"kernel linear\n", "m.txt:2: kernel: unknown entry"},
	{"features 2\n", "m.txt:2: features: unknown entry"},
	{"stumps 0\n", "m.txt:2: stumps: unknown entry"},
	{"row-colour red\n", "m.txt:2: row-colour: unknown entry"},
	{"row-kernel sigmoid\n", "m.txt:2: row-kernel: unknown kernel"},
	{"row-names\n", "m.txt:2: row-names: comes before row-features"},
	{"row-nodes 2\n\"a\"\nb\n", "m.txt:4: row-nodes: the name of node 2 is not a JSON string: \"b\""},
	{"row-nodes 1000000000\n\"a\"\n", "m.txt:2: row-nodes: the model ends early"},
	{"row-nodes 1e3\n", "m.txt:2: row-nodes: not a whole number"},
	{"row-normalizer cosine\n", "m.txt:2: row-normalizer: comes before row-kernel"},
	{"weights\n", "m.txt:2: weights: comes before pairwise"},
	{"coefficients dense\n", "m.txt:2: coefficients: comes before pairwise"},
	{pairHead, "a kronecker model has 0 of coefficients, edges and weights, want 1"},
	{pairHead + "row-support dense\n", "row-support: comes before row-features"},
	{pairNodes + "row-support other\n", "row-support: features are dense or sparse, not \"other\""},
	{pairNodes + "row-support sparse\n1:1 1:2\n\n", "row-support: not an ascending index from 1 to 1"},
	{pairNodes + "row-support dense\n1\n", "row-support: the model ends early"},
	{pairNodes + "coefficients sparse 0\n", "row nodes of a precomputed kernel have names only"},
	{pairShape, "a kronecker model has 0 of coefficients"},
	{pairShape + "row-normalizer zscore\n", "row-normalizer: the normalizer of a kernel is cosine, not \"zscore\""},
	{pairShape + "coefficients\n", "coefficients: coefficients are dense, or sparse with their number"},
	{pairShape + "coefficients dense\n1 2\n", "coefficients: the model ends early"},
	{pairShape + "coefficients dense\n1 2\n3\n", "coefficients: the model ends early"},
	{pairShape + "coefficients dense\n1 2\n3 4 5\n", "coefficients: a line does not have 2 numbers"},
	{pairShape + "coefficients sparse x\n", "coefficients: not a whole number"},
	{pairShape + "coefficients sparse 1000000000\n1 1 1\n", "coefficients: the model ends early"},
	{pairShape + "coefficients sparse 1\n1 1\n1\n", "m.txt:14: coefficients: a coefficient of an edge is row, " +
		"column, number, not \"1 1\""},
	{pairShape + "coefficients sparse 1\n1 1 1 1\n", "coefficients: a coefficient of an edge is row, column, number"},
	{pairShape + "coefficients sparse 1\n0 1 1\n", "coefficients: node 0 is not from 1 to 2"},
	{pairShape + "coefficients sparse 1\n1 3 1\n", "coefficients: node 3 is not from 1 to 2"},
	{pairShape + "coefficients sparse 1\n1 x 1\n", "coefficients: not a whole number"},
	{pairShape + "coefficients sparse 1\n1 1 NaN\n", "coefficients: not a finite number"},
	{pairShape + "coefficients sparse 0\nweights\n1\n", "has 2 of coefficients, edges and weights, want 1"},
	{strings.Replace(pairShape, "\"b\"", "\"a\"", 1) + "coefficients sparse 0\n", "row node \"a\" stands twice"},
	{strings.Replace(pairShape, "domains 1", "domains 2", 1) + "coefficients dense\n",
		"coefficients: comes before col-nodes"},
	{strings.Replace(pairHead, "domains 1", "domains 2", 1) + "row-features 1\nweights\n1\n",
		"weights: comes before col-features"},
	{strings.Replace(pairHead, "domains 1", "domains 2", 1) + "row-features 1\ncol-features 1\nweights\n1\n",
		"the column nodes have no kernel"},
	{strings.Replace(pairHead, "kronecker", "symmetric", 1) + "row-features 1\nweights\n1\n",
		"weights of a symmetric kernel"},
	{strings.Replace(pairHead, "linear", "gaussian:gamma=1", 1) + "row-features 1\nweights\n1\n",
		"weights with the kernel gaussian:gamma=1"},
	{strings.Replace(pairHead, "domains 1", "domains 2", 1) + "col-kernel linear\nrow-nodes 0\ncol-nodes " +
		"0\nrow-features 0\nrow-support dense\ncol-features 1\ncoefficients dense\n",
		"column nodes of a precomputed kernel have names only"},
	{strings.Replace(pairHead, "kronecker", "similarity", 1) + "row-features 1\n", "row-features without features"},
	{strings.Replace(pairHead, "kronecker", "similarity", 1) + "row-nodes 0\n",
		"row nodes are kept with coefficients only"},
	{strings.Replace(pairHead, "kronecker\ndomains 1", "similarity\ndomains 2", 1),
		"a similarity kernel is of one domain"},
	{pairGiven + "row-normalizer cosine\n0\ncoefficients sparse 0\n",
		"the kernel of row node 1 with itself is 0, not above 0"},
	{pairGiven + "row-normalizer cosine\ncoefficients sparse 0\n", "row-normalizer: a line does not have 1 numbers"},
	{pairGiven + "row-shift x\n", "row-shift: not a finite number"},
	{pairGiven + "row-shift -1\ncoefficients sparse 0\n", "a shift of -1 of the kernel of row nodes"},
	{pairShape + "row-shift 1\ncoefficients sparse 0\n",
		"a shift of 1 of the kernel of row nodes: it is of a precomputed kernel"},
	{pairGiven + "row-features 1\nrow-names\n\"x\"\ncoefficients sparse 0\n",
		"a precomputed kernel of row nodes has no features to name"},
	{pairGiven + "row-features 1\ncoefficients sparse 0\n", "row-features without features"},
}

func TestReadPairsFaults(t *testing.T) {
	for _, test := range pairFaults {
		_, err := read(sealedAs(fileVersion, test.body))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.body, err, test.want)
		}
	}
	for _, version := range []int{1, 2} {
		if _, err := read(sealedAs(version, "pairwise kronecker\n")); err == nil ||
			!strings.Contains(err.Error(), "scores rows, not pairs") {
			t.Errorf("version %d with pairwise: %v", version, err)
		}
	}
}

// Write refuses what Read would refuse.
func TestWritePairsRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		example string
		bad     func(m *Model)
	}{
		"kind":               {"dense", func(m *Model) { m.Kernel = "gaussian" }},
		"two domains":        {"dense", func(m *Model) { m.Kernel = pairwise.Metric }},
		"no coefficients":    {"dense", func(m *Model) { m.Coef = nil }},
		"few coefficients":   {"dense", func(m *Model) { m.Coef = random(2, 2, 1) }},
		"infinite":           {"dense", func(m *Model) { m.Coef.Data[1] = math.Inf(1) }},
		"no kernel":          {"dense", func(m *Model) { m.Rows.Kernel = nil }},
		"own kernel":         {"dense", func(m *Model) { m.Rows.Kernel = ownKernel{} }},
		"own column kernel":  {"dense", func(m *Model) { m.Cols.Kernel = ownKernel{} }},
		"NaN feature":        {"dense", func(m *Model) { m.Rows.Support.(*data.Dense).Data[0] = math.NaN() }},
		"nodes":              {"dense", func(m *Model) { m.Rows.Support = random(4, 2, 1) }},
		"node not UTF-8":     {"dense", func(m *Model) { m.Rows.ID[1] = "\xff" }},
		"feature names":      {"dense", func(m *Model) { m.Cols.Names = []string{"w"} }},
		"diagonal":           {"dense", func(m *Model) { m.Rows.Diag = []float64{1, 1, 1} }},
		"edges":              {"edges", func(m *Model) { m.Edges.Row = nil }},
		"edge of node 4":     {"edges", func(m *Model) { m.Edges.Row[1] = 3 }},
		"NaN edge":           {"edges", func(m *Model) { m.Edges.Value[1] = math.NaN() }},
		"no diagonal":        {"precomputed, mended", func(m *Model) { m.Rows.Diag = nil }},
		"infinite diagonal":  {"precomputed, mended", func(m *Model) { m.Rows.Diag[0] = math.Inf(1) }},
		"square weights":     {"weights, one domain", func(m *Model) { m.Weights = random(3, 2, 1) }},
		"NaN weight":         {"weights", func(m *Model) { m.Weights.Data[0] = math.NaN() }},
		"similarity learned": {"similarity", func(m *Model) { m.Edges = &EdgeCoef{} }},
	} {
		m := pairExamples()[c.example]
		c.bad(m)
		var b bytes.Buffer
		if err := m.Write(&b); err == nil || b.Len() > 0 {
			t.Errorf("%s: error %v after %d bytes, want an error and nothing written", name, err, b.Len())
		}
	}
}

// The pairwise models of docs/formats-model.md are read, written with the same bytes, and score by the formula of the
// page.
func TestPairsOfFormatsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats-model.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```pairwise-model\n(.*?)```").FindAllSubmatch(page, -1)
	if len(found) != 1 {
		t.Fatalf("%d pairwise models, want 1", len(found))
	}
	m, err := read(found[0][1])
	if err != nil {
		t.Fatal(err)
	}
	if again := written(m); !bytes.Equal(again, found[0][1]) {
		t.Errorf("written as\n%s", again)
	}
	k := func(x, z []float64) float64 { // ½‖x−z‖² = −log k
		return math.Exp(-0.5 * ((x[0]-z[0])*(x[0]-z[0]) + (x[1]-z[1])*(x[1]-z[1])))
	}
	anna, ben := []float64{1, -0.5}, []float64{0, 0}
	d, u := []float64{2, 1}, anna
	want := 0.75*(k(d, anna)*k(u, ben)+k(d, ben)*k(u, anna))/2 - 0.25*k(d, ben)*k(u, ben)
	p := m
	rows, err := p.RowValues(&Nodes{X: &data.Dense{Rows: 1, Cols: 2, Stride: 2, Data: d},
		Names: []string{"age", "height"}})
	if err != nil {
		t.Fatal(err)
	}
	cols, err := p.ColValues(&Nodes{X: p.Rows.Support, ID: p.Rows.ID})
	if err != nil {
		t.Fatal(err)
	}
	got := data.NewDense(1, 2, nil)
	p.ScoreBlockTo(got, rows, cols)
	if !(math.Abs(got.Data[0]-want) <= roundoff) {
		t.Errorf("the pair has %v, want %v", got.Data[0], want)
	}
}

// Each package reads its own models, and names the other package for the others.
func TestReadEither(t *testing.T) {
	pairs := written(pairExamples()["dense"])
	var b bytes.Buffer
	weights := &model.Model{Info: someInfo(), Scorer: &model.Linear{Weights: random(1, 3, 1)}}
	if err := weights.Write(&b); err != nil {
		t.Fatal(err)
	}
	if m, p, err := ReadEither(bytes.NewReader(pairs), "m"); m != nil || p == nil || err != nil {
		t.Errorf("a model of pairs is read as %v, %v; %v", m, p, err)
	}
	if m, p, err := ReadEither(bytes.NewReader(b.Bytes()), "m"); m == nil || p != nil || err != nil {
		t.Errorf("a model of rows is read as %v, %v; %v", m, p, err)
	}
	var format *fault.FormatError
	if _, err := model.Read(bytes.NewReader(pairs), "m"); !errors.As(err, &format) || !errors.Is(err, model.ErrPairs) {
		t.Errorf("rows of a model of pairs: %v", err)
	}
	if _, err := Read(bytes.NewReader(b.Bytes()), "m"); !errors.As(err, &format) || !errors.Is(err, errRows) {
		t.Errorf("pairs of a model of rows: %v", err)
	}
	for _, text := range []string{"", "pairrank", "pairrank model 4\n", "pairrank model 3\n"} {
		if _, _, err := ReadEither(strings.NewReader(text), "m"); !errors.As(err, &format) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzReadPairs is FuzzRead for pairwise models.
func FuzzReadPairs(f *testing.F) {
	for _, m := range pairExamples() {
		text := string(written(m))
		text = text[strings.IndexByte(text, '\n')+1:]
		f.Add(text[:strings.LastIndex(text, checksumLine)])
	}
	f.Fuzz(func(t *testing.T, body string) {
		m, err := read(sealedAs(fileVersion, body))
		if err != nil {
			return
		}
		text := written(m)
		again, err := read(text)
		if err != nil {
			t.Fatalf("read %q, written as %q: %v", body, text, err)
		}
		if !bytes.Equal(written(again), text) {
			t.Fatalf("written twice: %q and %q", text, written(again))
		}
	})
}

func BenchmarkReadPairs(b *testing.B) {
	p, _ := wide(pairwise.Symmetric, 1000, 100_000)
	p.Info = someInfo()
	text := written(p)
	b.Run(fmt.Sprintf("edges=%d", len(p.Edges.Value)), func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := read(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
