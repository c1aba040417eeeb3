package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// readScores reads a file of one score a line. Blank lines at the end are
// skipped.
func (a *app) readScores(path string) ([]float64, error) {
	var scores []float64
	err := a.readFrom(path, func(r io.Reader, name string) (err error) {
		scores, err = parseScores(r, name)
		return err
	})
	return scores, err
}

func parseScores(r io.Reader, name string) ([]float64, error) {
	var scores []float64
	lines := bufio.NewScanner(r)
	blank := 0 // line of the first blank one, 0 when there is none
	number := 0
	for lines.Scan() {
		number++
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
		case math.IsNaN(score) || math.IsInf(score, 0):
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
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// appendNumber appends the shortest text that reads back exactly.
func appendNumber(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', -1, 64) }
