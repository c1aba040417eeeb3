package svmlight

import (
	"fmt"

	"pairrank/data"
)

// Storage is how the matrix of a Set is kept.
type Storage int

const (
	// StoreAuto keeps the matrix dense when at least a quarter of its entries
	// are not zero and it fits in the machine's memory, else sparse.
	StoreAuto Storage = iota
	StoreDense
	StoreCSR
)

var storageNames = []string{"auto", "dense", "csr"}

// String returns auto, dense or csr.
func (s Storage) String() string {
	if s < 0 || int(s) >= len(storageNames) {
		return fmt.Sprintf("Storage(%d)", int(s))
	}
	return storageNames[s]
}

// DenseFrom is the share of non-zero entries from which StoreAuto keeps a matrix dense. A sparse
// value takes 12 bytes: at a quarter the dense matrix takes 2.7 times the memory, and its products,
// which need no indices, are as fast.
const DenseFrom = 0.25

// Options says how text is read. The zero value reads 1-based rows, refuses
// missing values, drops comments and chooses the storage itself.
type Options struct {
	// Storage is how ReadFile and ReadAll keep the matrix.
	Storage Storage
	// Features is the number of features that the matrix gets; a larger index
	// is an error. 0 takes the largest index of the file.
	Features int
	// Extra, when Features > 0, leaves out larger indices instead of refusing them. They must still
	// ascend and have numeric values.
	Extra bool
	// MinFeatures is the least number of features that the matrix gets, for
	// files that leave out the last ones. 0 asks for none.
	MinFeatures int
	// ZeroBased reads indices that start at 0 rather than 1.
	ZeroBased bool
	// Missing says how to treat NULL, NaN and empty values; the default refuses them. Means and least values are those
	// of the rows that are read. With Features > 0, for the rows of a model, they are those of Substitutes, which the
	// training kept; without them a missing value is a *data.UnfilledError. data.MissingModel treats them as the
	// training did; another treatment is a *data.OtherTreatmentError.
	Missing     data.Missing
	Substitutes *data.Substitutes
	// Censored reads labels that are times: −t, also −0, is one that is censored at t.
	Censored bool
	// MaxLine is the number of bytes of the longest line; 0 is data.MaxLine.
	MaxLine int
	// KeepComments keeps the text after the '#' of each row.
	KeepComments bool
	// KeepNotes keeps the lines that hold a comment and no row.
	KeepNotes bool
	// Each, when not nil, receives the features of ReadFile and ReadAll as they are read, with the number of rows before
	// them, in the form that the matrix of all rows has, of which the Set keeps only the Dims. A block has at least 64
	// rows, but for the last one; it is valid until Each returns, as its memory is used again. Where the form turns out
	// to be another one at the end, a file is read again, from first = 0. A text that cannot be read twice comes as one
	// block, unless Storage says the form, and so do rows without Features.
	Each func(first int, block *data.Set) error
	// Progress, when not nil, is called now and then, from one goroutine at a time, with the bytes
	// of the file read so far and in all. bytesTotal is −1 when unknown. For a compressed file both
	// count compressed bytes.
	Progress func(bytesDone, bytesTotal int64)
}

// maxLine is the number of bytes of the longest line.
func (o Options) maxLine() int {
	if o.MaxLine > 0 {
		return o.MaxLine
	}
	return data.MaxLine
}

// leastFeatures is the number of features that a matrix has at least.
func (o Options) leastFeatures() int { return max(o.Features, o.MinFeatures, 0) }
