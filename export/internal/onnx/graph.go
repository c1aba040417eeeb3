package onnx

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"pairrank/export/internal/plain"
	"pairrank/fault"
)

// Numbers of onnx.proto, of IR version 8.
const (
	irVersion = 8
	opset     = 13

	typeInt64, typeDouble = 7, 11 // TensorProto.DataType
	attributeInt          = 2     // AttributeProto.AttributeType
)

// Field numbers of the messages of onnx.proto.
const (
	modelIR, modelProducer, modelGraph, modelOpset, modelMetadata = 1, 2, 7, 8, 14
	opsetVersion                                                  = 2
	graphNode, graphName, graphInitializer                        = 1, 2, 5
	graphDoc, graphInput, graphOutput                             = 10, 11, 12
	nodeInput, nodeOutput, nodeName, nodeOp, nodeAttribute        = 1, 2, 3, 4, 5
	attributeName, attributeI, attributeType                      = 1, 3, 20
	tensorDims, tensorType, tensorName, tensorRaw                 = 1, 2, 8, 9
	valueName, valueType                                          = 1, 2
	typeTensor, tensorElem, tensorShape                           = 1, 1, 2
	shapeDim, dimValue, dimParam                                  = 1, 1, 2
	entryKey, entryValue                                          = 1, 2
)

// mostBytes is where messages of protocol buffers end.
const mostBytes = math.MaxInt32

// graph is a GraphProto in the making: its fields in the order in which they are written.
type graph struct {
	fields [][]byte
	size   int64
	nodes  int    // and constants, for their names
	x      string // the rows, with what stands for missing values
	lacks  bool   // NaN may be among the numbers
	err    error
}

// add appends a field of the graph.
func (g *graph) add(field protowire.Number, message []byte) {
	head := protowire.AppendTag(nil, field, protowire.BytesType)
	head = protowire.AppendVarint(head, uint64(len(message)))
	g.fields = append(g.fields, head, message)
	g.size += int64(len(head) + len(message))
}

// fresh is a name that no other value has.
func (g *graph) fresh(kind string) string {
	g.nodes++
	return kind + "_" + strconv.Itoa(g.nodes)
}

// attribute is a whole number of a node.
type attribute struct {
	name  string
	value int64
}

// node adds an operator and returns the name of its output.
func (g *graph) node(op string, attributes []attribute, inputs ...string) string {
	out := g.fresh(op)
	g.operator(op, out, attributes, inputs...)
	return out
}

// operator is node with the name of the output given.
func (g *graph) operator(op, out string, attributes []attribute, inputs ...string) {
	var b []byte
	for _, in := range inputs {
		b = appendText(b, nodeInput, in)
	}
	b = appendText(b, nodeOutput, out)
	b = appendText(b, nodeName, out)
	b = appendText(b, nodeOp, op)
	for _, a := range attributes {
		m := appendText(nil, attributeName, a.name)
		m = appendInt(m, attributeI, a.value)
		m = appendInt(m, attributeType, attributeInt)
		b = appendMessage(b, nodeAttribute, m)
	}
	g.add(graphNode, b)
}

// matrix adds an initialiser of rows × cols doubles and returns its name. fill sets the row
// that it is given, of zeros, to row i of the matrix, or with transposed to column i. Numbers
// that are not finite leave an error.
func (g *graph) matrix(rows, cols int, transposed bool, fill func(i int, row []float64)) string {
	name := g.fresh("c")
	if !g.room(8 * float64(rows) * float64(cols)) {
		return name
	}
	raw := make([]byte, 8*rows*cols)
	count, length := rows, cols
	if transposed {
		count, length = cols, rows
	}
	row := make([]float64, length)
	for i := range count {
		clear(row)
		fill(i, row)
		for j, v := range row {
			if math.IsInf(v, 0) || math.IsNaN(v) && !g.lacks {
				g.err = plain.Overflow("a number of the graph overflows to %v when a scale is folded into a weight "+
					"or a support row", v)
				return name
			}
			at := i*cols + j
			if transposed {
				at = j*cols + i
			}
			binary.LittleEndian.PutUint64(raw[8*at:], math.Float64bits(v))
		}
	}
	g.tensor(name, typeDouble, []int{rows, cols}, raw)
	return name
}

// row adds an initialiser of 1 × n doubles, and column one of n × 1.
func (g *graph) row(values []float64) string {
	return g.matrix(1, len(values), false, func(_ int, row []float64) { copy(row, values) })
}

func (g *graph) column(values []float64) string {
	return g.matrix(len(values), 1, true, func(_ int, row []float64) { copy(row, values) })
}

// constantColumn is a column of n times the same.
func (g *graph) constantColumn(n int, v float64) string {
	return g.column(slices.Repeat([]float64{v}, n))
}

// integers adds an initialiser of n whole numbers.
func (g *graph) integers(n int, value func(k int) int64) string {
	name := g.fresh("c")
	if !g.room(8 * float64(n)) {
		return name
	}
	raw := make([]byte, 8*n)
	for k := range n {
		binary.LittleEndian.PutUint64(raw[8*k:], uint64(value(k)))
	}
	g.tensor(name, typeInt64, []int{n}, raw)
	return name
}

// room reports whether so many bytes more can be in a file, and keeps the error where not.
func (g *graph) room(bytes float64) bool {
	const rest = 1 << 20 // for nodes, names and the file around the graph
	if g.err == nil && float64(g.size)+bytes > mostBytes-rest {
		g.err = &fault.RefusedError{Target: "onnx", What: fmt.Sprintf("%.3g bytes of numbers, since its files end at 2 GB",
			float64(g.size)+bytes),
			Help: "train with fewer support rows, for example a subset of regressors"}
	}
	return g.err == nil
}

func (g *graph) tensor(name string, elem int64, dims []int, raw []byte) {
	var b []byte
	for _, d := range dims {
		b = appendInt(b, tensorDims, int64(d))
	}
	b = appendInt(b, tensorType, elem)
	b = appendText(b, tensorName, name)
	b = protowire.AppendTag(slices.Grow(b, len(raw)+16), tensorRaw, protowire.BytesType)
	g.add(graphInitializer, protowire.AppendBytes(b, raw))
}

// value adds an input or output of doubles: rows by their symbol, columns by their number.
func (g *graph) value(field protowire.Number, name, rows string, cols int) {
	shape := appendMessage(nil, shapeDim, appendText(nil, dimParam, rows))
	shape = appendMessage(shape, shapeDim, appendInt(nil, dimValue, int64(cols)))
	tensor := appendInt(nil, tensorElem, typeDouble)
	tensor = appendMessage(tensor, tensorShape, shape)
	b := appendText(nil, valueName, name)
	g.add(field, appendMessage(b, valueType, appendMessage(nil, typeTensor, tensor)))
}

// fact is an entry of the metadata.
type fact struct{ key, value string }

// write writes the model around the graph.
func (g *graph) write(w io.Writer, name, doc string, facts []fact) error {
	g.add(graphName, []byte(name))
	g.add(graphDoc, []byte(doc))
	if g.err != nil {
		return g.err
	}
	head := appendInt(nil, modelIR, irVersion)
	head = appendText(head, modelProducer, "pairrank")
	head = protowire.AppendTag(head, modelGraph, protowire.BytesType)
	head = protowire.AppendVarint(head, uint64(g.size))
	tail := appendMessage(nil, modelOpset, appendInt(nil, opsetVersion, opset))
	for _, f := range facts {
		tail = appendMessage(tail, modelMetadata, appendText(appendText(nil, entryKey, f.key), entryValue, f.value))
	}
	for _, part := range slices.Concat([][]byte{head}, g.fields, [][]byte{tail}) {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func appendText(b []byte, field protowire.Number, text string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), text)
}

func appendMessage(b []byte, field protowire.Number, message []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), message)
}

func appendInt(b []byte, field protowire.Number, v int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), uint64(v))
}
