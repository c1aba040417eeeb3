// Package jsonrows reads a matrix of numbers from JSON, without allocating once its
// memory has grown: the body {"rows":[[1,2.5],[3,4]]} of a request, or its list of rows
// alone.
//
// It accepts what encoding/json accepts of that form, no more and no less, and gives the
// same float64 as strconv.ParseFloat, to the last bit. What it does not accept, be it
// wrong or only of another form, it leaves to a reader that can say why.
//
// A number with at most 19 digits is a whole number w times 10^e. It is exact in one
// floating-point operation where w < 2^53 and |e| ≤ 22 (Clinger 1990), else it takes one
// product of 64 and 128 bits (Lemire 2021, Number parsing at a gigabyte per second,
// algorithm 1), and where that is in doubt strconv.
package jsonrows
