package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pairrank/internal/codec"
	"pairrank/internal/memory"
)

// scoreText is how much of an offending text an error shows, in bytes.
const scoreText = 60

// ReadScores reads what WriteScores, WriteNamedScores and WriteScoreLines write of one output: numbers, one a line, in
// the syntax of strconv.ParseFloat, NaN where a row has none; or a table with a header, or objects of JSON, whose
// column score is finite and whose columns id and query or qid, if there are any, name the rows and their queries.
// Blank lines at the end are skipped. Errors begin with name and the line. A line that is not a score, or a text
// without scores, is an error.
func ReadScores(r io.Reader, name string) (names, queries []string, scores []float64, err error) {
	text := bufio.NewReaderSize(codec.Unmarked(r, name), 1<<16)
	begins, _ := text.Peek(text.Size()) // an error comes again
	if line, _, _ := bytes.Cut(begins, []byte("\n")); bytes.Contains(line, []byte("score")) {
		return shapeFrom(text, name, 0, 0).namedScores(false)
	}
	scores, err = plainScores(text, name)
	return nil, nil, scores, err
}

// plainScores reads one number a line.
func plainScores(r io.Reader, name string) ([]float64, error) {
	var (
		scores []float64
		asked  memory.Meter
		read   int
	)
	lines := bufio.NewScanner(r)
	blank := 0 // line of the first blank one, 0 when there is none
	number := 0
	for lines.Scan() {
		number++
		read += len(lines.Bytes())
		if err := asked.Read(read, number); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			if blank == 0 {
				blank = number
			}
			continue
		}
		if blank > 0 {
			return nil, fmt.Errorf("%s:%d: a line without a score", name, blank)
		}
		score, err := strconv.ParseFloat(text, 64)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return nil, fmt.Errorf("%s:%d: the score is too large for a float64: %q", name, number, text)
		case err != nil && strings.ContainsAny(text, " \t"):
			return nil, fmt.Errorf("%s:%d: more than one score in a line: %q", name, number, clip(text))
		case err != nil:
			return nil, fmt.Errorf("%s:%d: not a score: %q", name, number, clip(text))
		case math.IsInf(score, 0):
			return nil, fmt.Errorf("%s:%d: the score is not finite: %q", name, number, text)
		}
		scores = append(scores, score)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s:%d: the line is too long for a score", name, number+1)
	} else if err != nil {
		return nil, err
	}
	if len(scores) == 0 {
		return nil, fmt.Errorf("%s: there are no scores", name)
	}
	return scores, nil
}

// clip shortens an offending text.
func clip(text string) string {
	if len(text) <= scoreText {
		return text
	}
	return strings.ToValidUTF8(text[:scoreText], "") + "…"
}

// WriteScores writes a line for every v scores, with tabs between them. Each is the
// shortest text that reads back exactly.
func WriteScores(w io.Writer, scores []float64, v int) error {
	var line []byte
	for i := 0; i < len(scores); i += v {
		line = line[:0]
		for k, s := range scores[i : i+v] {
			if k > 0 {
				line = append(line, '\t')
			}
			line = strconv.AppendFloat(line, s, 'g', -1, 64)
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
