// Package onnx writes models of rows and of pairs as ONNX graphs (ai.onnx 13, ir_version 8)
// in double precision, of plain operators: MatMul, Add, Sub, Mul, Div, Exp, Sin, Sqrt,
// ReduceSum, Gather, Greater, Relu and Cast.
//
// A graph of rows has one input X, rows × features, and one output, score, rows × outputs. A
// graph of pairs has the inputs rows and cols, the features of the row nodes and of the column
// nodes of as many pairs, and the output score, pairs × 1; a single row node goes with any
// number of column nodes, and the other way round.
//
// The operators LinearRegressor and SVMRegressor of ai.onnx.ml are not used: they compute in
// single precision, and scores that differ by 1e-7 change places; by plain operators they differ
// by 1e-15. Nor is a product with a scalar or a transpose next to MatMul, which onnxruntime fuses
// into an operator whose factor is single precision, an error of 1e-8: scalars, transposes and the
// scale of a normaliser are folded into the initialisers, which all have two dimensions.
//
// A graph needs 30 fields of a dozen messages. protowire, which appends tags and numbers to bytes,
// is all of protobuf that is linked, and their constants are shorter than code from onnx.proto.
package onnx
