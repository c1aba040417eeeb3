package foreign

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/codec"
	"pairrank/internal/modelfile"
	"pairrank/internal/spell"
	"pairrank/kernel"
	"pairrank/model"
)

// Format is the program whose model files are read.
type Format string

// The formats.
const (
	SVMrank   Format = "svmrank"   // and SVM-light
	LIBLINEAR Format = "liblinear" // and its ranking extension
	RankLib   Format = "ranklib"
)

var formats = []string{string(SVMrank), string(LIBLINEAR), string(RankLib)}

// Formats returns the names of the formats.
func Formats() []string { return append([]string(nil), formats...) }

// mostFeatures is the largest feature index in models of SVMrank and RankLib. Their files leave out
// features, so a short file could make the reader allocate a weight for each: 128 MB at this limit.
const mostFeatures = 1 << 24

// Read reads a model; errors call the input name. The cost is linear in the size of the text, the
// memory in the text and the number of features. notes name what has no place in the model, each a
// sentence without a full stop.
//
// It returns a *fault.FormatError, with the line, for a file that is no model of the format, has a
// number that is not finite or a feature beyond MostFeatures, or has an unsupported kernel or
// learner.
func Read(r io.Reader, name string, f Format) (m *model.Model, notes []string, err error) {
	in := &reader{in: bufio.NewReader(codec.Unmarked(r, name)), name: name}
	switch f {
	case SVMrank:
		m, notes, err = in.svmlight()
	case LIBLINEAR:
		m, notes, err = in.liblinear()
	case RankLib:
		m, notes, err = in.ranklib()
	default:
		err := fmt.Errorf("unknown format %q: known are %s", f, strings.Join(formats, ", "))
		if near := spell.Nearest(string(f), formats); near != "" {
			err = fmt.Errorf("unknown format %q, did you mean %s? known are %s", f, near, strings.Join(formats, ", "))
		}
		return nil, nil, err
	}
	if err == nil {
		err = in.end()
	}
	if err == nil {
		err = m.Check()
	}
	if err != nil {
		return nil, nil, in.fail(err)
	}
	return m, notes, nil
}

// reader reads lines and counts them.
type reader struct {
	in   *bufio.Reader
	name string
	line int
}

// readError is an error of reading, which has no line.
type readError struct{ error }

func (e readError) Unwrap() error { return e.error }

// fail adds the line to an error, except to an error of reading.
func (in *reader) fail(err error) error {
	var of readError
	if errors.As(err, &of) {
		return of.error
	}
	help := ""
	if h, has := err.(interface{ Hint() string }); has {
		help = h.Hint()
	}
	return &fault.FormatError{Name: in.name, Line: in.line, Err: err, Help: help}
}

// longestLine bounds, in bytes, a line without a list of features, so that a file that is no model,
// or unpacks without end, takes no more memory.
const longestLine = 1 << 20

// longestList bounds a line with a list of features: each of MostFeatures takes up to 64 bytes.
const longestList = mostFeatures * 64

// next returns the next line without its end, of at most longestLine bytes, and io.EOF after the
// last.
func (in *reader) next() (string, error) { return in.upTo(longestLine) }

// long returns the next line with a list of features.
func (in *reader) long() (string, error) { return in.upTo(longestList) }

func (in *reader) upTo(most int) (string, error) {
	var text []byte
	for {
		part, err := in.in.ReadSlice('\n')
		if text = append(text, part...); len(text) > most {
			in.line++
			return "", fmt.Errorf("the line is longer than %d bytes: it begins with %q",
				most, modelfile.Clip(string(text)))
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && err != io.EOF:
			return "", readError{err}
		case len(text) == 0:
			return "", io.EOF
		}
		in.line++
		return strings.TrimRight(string(text), "\r\n"), nil
	}
}

// need returns the next line, and an error if there is none.
func (in *reader) need() (string, error) { return present(in.next()) }

// present turns the end of the file into an error.
func present(text string, err error) (string, error) {
	if err == io.EOF {
		return "", modelfile.ErrTruncated
	}
	return text, err
}

// end refuses text after the model.
func (in *reader) end() error {
	for {
		text, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err == nil && strings.TrimSpace(text) != "" {
			err = fmt.Errorf("text after the end of the model: %q", modelfile.Clip(text))
		}
		if err != nil {
			return err
		}
	}
}

// unknown is an error about a part of the file that this library does not support, with help.
type unknown struct {
	error
	help string
}

func (e unknown) Hint() string { return e.help }

// pair reads "index:value", the index from 1.
func pair(text string) (index int, value float64, err error) {
	left, right, found := strings.Cut(text, ":")
	if !found {
		return 0, 0, fmt.Errorf("not index:value: %q", modelfile.Clip(text))
	}
	if index, err = featureIndex(left); err == nil {
		value, err = modelfile.ParseNumber(right)
	}
	return index, value, err
}

// featureIndex reads an index from 1.
func featureIndex(text string) (int, error) {
	index, err := strconv.Atoi(text)
	if err != nil || index < 1 {
		return 0, fmt.Errorf("a feature index must be a whole number from 1, not %q", modelfile.Clip(text))
	}
	if index > mostFeatures {
		return 0, fmt.Errorf("feature %d is beyond %d", index, mostFeatures)
	}
	return index, nil
}

// linear is a model of weights.
func linear(weights []float64, from string) *model.Model {
	return &model.Model{Info: info(from), Scorer: &model.Linear{Weights: data.NewDense(1, len(weights), weights)}}
}

// info returns the facts of a model trained elsewhere.
func info(from string) model.Info {
	return model.Info{Learner: "imported", Further: []model.Fact{{Name: "imported-from", Value: from}}}
}

// constantNote is the note about a constant that is left out.
func constantNote(constant float64) []string {
	if constant == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the constant %g that the file adds to every score is left out: it changes no "+
		"order", constant)}
}

// finite refuses a sum that overflowed.
func finite(weights []float64) error {
	for j, w := range weights {
		if math.IsInf(w, 0) || math.IsNaN(w) {
			return fmt.Errorf("the weight of feature %d overflows", j+1)
		}
	}
	return nil
}

// expansion is a model of support rows and their coefficients.
func expansion(k kernel.Kernel, support *data.CSR, coef []float64, from string) *model.Model {
	return &model.Model{Info: info(from), Scorer: &model.Kernel{Kernel: k, Support: support,
		Coef: data.NewDense(len(coef), 1, coef)}}
}
