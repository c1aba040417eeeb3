// Package jsonrows reads a matrix of numbers from JSON: the body {"rows":[[1,2.5],[3,4]]} of a
// request, or its list of rows alone. It does not allocate once its memory has grown. 100 rows
// of 46 numbers take more than a millisecond to decode by encoding/json, and some microseconds to
// score.
//
// It accepts exactly what encoding/json accepts of that form, and gives the float64 of
// strconv.ParseFloat, to the last bit. Anything else, wrong or of another form, it leaves to a
// reader that can say why.
//
// A number of at most 19 digits is a whole number w times 10^e. One floating-point operation is
// exact where w < 2^53 and |e| ≤ 22 (Clinger 1990). Otherwise, and for numbers in full precision, one product of 64 and
// 128 bits gives the result (Lemire 2021, Number parsing at a gigabyte per second, algorithm 1), and in doubt
// strconv.
package jsonrows
