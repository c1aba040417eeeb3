// Package onnx writes models of rows and of pairs as ONNX graphs (ai.onnx 13, ir_version 8)
// in double precision, of plain operators: MatMul, Add, Sub, Mul, Div, Exp, Sin, Sqrt,
// ReduceSum, Gather, Greater and Cast.
//
// A graph of rows has one input X, rows × features, and one output, score, rows × outputs. A
// graph of pairs has the inputs rows and cols, the features of the row nodes and of the column
// nodes of as many pairs, and the output score, pairs × 1; a single row node goes with any
// number of column nodes, and the other way round.
//
// The operators LinearRegressor and SVMRegressor of ai.onnx.ml are not used: they compute in
// single precision. Nor is a product with a scalar or a transpose next to MatMul, which
// onnxruntime fuses into an operator whose factor is single precision: scalars and transposes
// are folded into the initialisers, which all have two dimensions. docs/decisions/onnx.md
// says more.
package onnx
