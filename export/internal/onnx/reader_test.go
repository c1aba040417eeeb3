package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// The reader of these tests knows onnx.proto by its field numbers and a dozen operators by
// their definition (Open Neural Network Exchange, ONNX operators, opset 13). It shares nothing
// with the writer.

// message is the fields of a message of protocol buffers, by number.
type message map[int][]field

type field struct {
	number uint64
	bytes  []byte
}

func parse(t *testing.T, b []byte) message {
	t.Helper()
	m := message{}
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			t.Fatalf("no tag: %v", protowire.ParseError(n))
		}
		b = b[n:]
		var f field
		switch kind {
		case protowire.VarintType:
			f.number, n = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(b)
		default:
			t.Fatalf("field %d of wire type %d", number, kind)
		}
		if n < 0 {
			t.Fatalf("field %d: %v", number, protowire.ParseError(n))
		}
		b = b[n:]
		m[int(number)] = append(m[int(number)], f)
	}
	return m
}

func (m message) text(number int) string {
	if len(m[number]) == 0 {
		return ""
	}
	return string(m[number][0].bytes)
}

func (m message) number(number int) int {
	if len(m[number]) == 0 {
		return 0
	}
	return int(m[number][0].number)
}

// tensor is numbers in rows; whole numbers are the same, in one row.
type tensor struct {
	rows, cols int
	v          []float64
	double     bool
}

func (a tensor) at(i, j int) float64 {
	if a.rows == 1 {
		i = 0
	}
	if a.cols == 1 {
		j = 0
	}
	return a.v[i*a.cols+j]
}

// elementwise is f of a and b, each as often as the other is long.
func elementwise(a, b tensor, f func(x, y float64) float64) tensor {
	c := tensor{rows: max(a.rows, b.rows), cols: max(a.cols, b.cols), double: true}
	if a.rows != c.rows && a.rows != 1 || b.rows != c.rows && b.rows != 1 || a.cols != c.cols && a.cols != 1 ||
		b.cols != c.cols && b.cols != 1 {
		panic(fmt.Sprintf("%d×%d and %d×%d", a.rows, a.cols, b.rows, b.cols))
	}
	for i := range c.rows {
		for j := range c.cols {
			c.v = append(c.v, f(a.at(i, j), b.at(i, j)))
		}
	}
	return c
}

// network is a file that was read.
type network struct {
	t             *testing.T
	ir, opset     int
	constants     map[string]tensor
	nodes         []message
	inputs        map[string]int // columns by name
	output        string
	outputColumns int
	metadata      map[string]string
	operators     map[string]bool
}

// readNetwork reads a file, and fails where no program would accept it.
func readNetwork(t *testing.T, file []byte) *network {
	t.Helper()
	m := parse(t, file)
	n := &network{t: t, ir: m.number(1), constants: map[string]tensor{}, inputs: map[string]int{},
		metadata: map[string]string{}, operators: map[string]bool{}}
	n.opset = parse(t, m[8][0].bytes).number(2)
	if domain := parse(t, m[8][0].bytes).text(1); domain != "" {
		t.Errorf("operators of the domain %q", domain)
	}
	for _, entry := range m[14] {
		e := parse(t, entry.bytes)
		n.metadata[e.text(1)] = e.text(2)
	}
	g := parse(t, m[7][0].bytes)
	if g.text(2) == "" {
		t.Error("the graph has no name")
	}
	for _, f := range g[5] {
		name, c := readTensor(t, f.bytes)
		if _, twice := n.constants[name]; twice {
			t.Errorf("two constants %s", name)
		}
		n.constants[name] = c
	}
	for _, f := range g[11] {
		name, cols := readValue(t, f.bytes)
		n.inputs[name] = cols
	}
	n.output, n.outputColumns = readValue(t, g[12][0].bytes)
	for _, f := range g[1] {
		node := parse(t, f.bytes)
		n.nodes = append(n.nodes, node)
		n.operators[node.text(4)] = true
	}
	return n
}

// readValue returns the name and columns of an input or output of doubles.
func readValue(t *testing.T, b []byte) (string, int) {
	t.Helper()
	v := parse(t, b)
	tensor := parse(t, parse(t, v[2][0].bytes)[1][0].bytes)
	shape := parse(t, tensor[2][0].bytes)
	if tensor.number(1) != 11 || len(shape[1]) != 2 || parse(t, shape[1][0].bytes).text(2) == "" {
		t.Errorf("%s is of type %d with %d dimensions", v.text(1), tensor.number(1), len(shape[1]))
	}
	return v.text(1), parse(t, shape[1][1].bytes).number(1)
}

func readTensor(t *testing.T, b []byte) (string, tensor) {
	t.Helper()
	m := parse(t, b)
	c := tensor{rows: 1, double: m.number(2) == 11}
	switch dims := m[1]; {
	case len(dims) == 2 && c.double:
		c.rows, c.cols = int(dims[0].number), int(dims[1].number)
	case len(dims) == 1 && m.number(2) == 7:
		c.cols = int(dims[0].number)
	default:
		t.Fatalf("a constant of type %d with %d dimensions: doubles have two, so that nothing is a scalar",
			m.number(2), len(dims))
	}
	raw := m[9][0].bytes
	if len(raw) != 8*c.rows*c.cols {
		t.Fatalf("%d bytes of %d×%d", len(raw), c.rows, c.cols)
	}
	for len(raw) > 0 {
		bits := binary.LittleEndian.Uint64(raw)
		if raw = raw[8:]; c.double {
			c.v = append(c.v, math.Float64frombits(bits))
		} else {
			c.v = append(c.v, float64(int64(bits)))
		}
	}
	return m.text(8), c
}

// run is the output for some inputs.
func (n *network) run(inputs map[string]tensor) tensor {
	n.t.Helper()
	values := map[string]tensor{}
	for name, x := range inputs {
		if cols, known := n.inputs[name]; !known || cols != x.cols {
			n.t.Fatalf("input %s of %d columns, and it has %v", name, x.cols, n.inputs)
		}
		values[name] = x
	}
	for name, c := range n.constants {
		values[name] = c
	}
	for _, node := range n.nodes {
		var in []tensor
		for _, f := range node[1] {
			x, known := values[string(f.bytes)]
			if !known {
				n.t.Fatalf("%s comes before its input %s", node.text(4), f.bytes)
			}
			in = append(in, x)
		}
		attributes := map[string]int{}
		for _, f := range node[5] {
			a := parse(n.t, f.bytes)
			if a.number(20) != 2 {
				n.t.Errorf("attribute %s of type %d", a.text(1), a.number(20))
			}
			attributes[a.text(1)] = a.number(3)
		}
		name := node.text(2)
		if _, twice := values[name]; twice {
			n.t.Errorf("two values %s", name)
		}
		values[name] = apply(n.t, node.text(4), attributes, in)
	}
	return values[n.output]
}

// Operators of every entry, or of every entry of two tensors.
var (
	ofOne = map[string]func(x float64) float64{
		"Relu": func(x float64) float64 { return max(x, 0) },
		"Exp":  math.Exp, "Sin": math.Sin, "Sqrt": math.Sqrt, "Identity": func(x float64) float64 { return x },
		"Cast":  func(x float64) float64 { return x },
		"IsNaN": func(x float64) float64 { return pick(x != x, 1, 0) },
	}
	ofTwo = map[string]func(x, y float64) float64{
		"Add": func(x, y float64) float64 { return x + y }, "Sub": func(x, y float64) float64 { return x - y },
		"Mul": func(x, y float64) float64 { return x * y }, "Div": func(x, y float64) float64 { return x / y },
		"Greater": func(x, y float64) float64 {
			if x > y {
				return 1
			}
			return 0
		},
	}
)

func pick(first bool, x, y float64) float64 {
	if first {
		return x
	}
	return y
}

// apply is one operator by its definition.
func apply(t *testing.T, op string, attributes map[string]int, in []tensor) tensor {
	t.Helper()
	if op == "Cast" && attributes["to"] != 11 {
		t.Errorf("a cast to %d", attributes["to"])
	}
	switch {
	case op == "Where" && len(in) == 3:
		yes := elementwise(in[1], in[0], func(x, if1 float64) float64 { return pick(if1 == 1, x, 0) })
		no := elementwise(in[2], in[0], func(x, if1 float64) float64 { return pick(if1 == 1, 0, x) })
		return elementwise(yes, no, func(x, y float64) float64 { return x + y })
	case ofTwo[op] != nil:
		return elementwise(in[0], in[1], ofTwo[op])
	case ofOne[op] != nil:
		return elementwise(in[0], tensor{1, 1, []float64{0}, true}, func(x, _ float64) float64 { return ofOne[op](x) })
	case op == "MatMul" && in[0].cols == in[1].rows:
		return matMul(in[0], in[1])
	case op == "Gather" && attributes["axis"] == 1 && !in[1].double:
		return gather(in[0], in[1])
	case op == "Concat" && attributes["axis"] == 1 && len(in) == 2 && in[0].rows == in[1].rows:
		out := tensor{rows: in[0].rows, cols: in[0].cols + in[1].cols, double: true}
		for i := range out.rows {
			out.v = append(append(out.v, in[0].v[i*in[0].cols:(i+1)*in[0].cols]...), in[1].v[i*in[1].cols:(i+1)*in[1].cols]...)
		}
		return out
	case op == "ReduceSum" && attributes["keepdims"] == 1 && len(in[1].v) == 1 && in[1].v[0] == 1:
		ones := tensor{in[0].cols, 1, slices.Repeat([]float64{1}, in[0].cols), true}
		return matMul(in[0], ones)
	}
	t.Fatalf("%s of %d inputs with %v is not among the plain operators", op, len(in), attributes)
	return tensor{}
}

func matMul(a, b tensor) tensor {
	out := tensor{rows: a.rows, cols: b.cols, double: true}
	for i := range a.rows {
		for j := range b.cols {
			sum := 0.0
			for k := range a.cols {
				sum += a.v[i*a.cols+k] * b.v[k*b.cols+j]
			}
			out.v = append(out.v, sum)
		}
	}
	return out
}

// gather is the columns of a that indices name.
func gather(a, indices tensor) tensor {
	out := tensor{rows: a.rows, cols: indices.cols, double: true}
	for i := range a.rows {
		for _, j := range indices.v {
			out.v = append(out.v, a.v[i*a.cols+int(j)])
		}
	}
	return out
}
