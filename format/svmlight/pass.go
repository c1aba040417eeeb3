package svmlight

import (
	"errors"
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/internal/gaps"
)

// passing hands the rows to Options.Each, some thousand at a time.
type passing struct {
	rows, nonzero int                 // that were handed on
	forms         map[bool]bool       // whether rows were handed on dense, and sparse
	unfilled      *data.UnfilledError // about the least feature that lacks a value; nothing is handed on after one
}

// A panel has at least leastPanel rows, and is handed on from panelRows rows or panelValues stored values on.
const leastPanel, panelValues = 64, 1 << 20

var panelRows = 1 << 11 // a test changes it

// formError says that the rows have another form than some that were handed on.
type formError struct{ storage Storage }

func (e *formError) Error() string { return "the form of the rows is " + e.storage.String() }

// pass takes the rows of a block, and hands rows on where there are enough.
func (b *builder) pass(block *block) error {
	err := b.store.add(block, 0, true)
	if s := &b.store; err == nil && s.rows >= leastPanel && (s.rows >= panelRows || s.nonzero >= panelValues) {
		err = b.passRows()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", b.name, err)
	}
	return nil
}

// passRows hands the rows of the store on, in the form of all rows so far.
func (b *builder) passRows() error {
	s, p := &b.store, b.passing
	first, rows := p.rows, p.rows+s.rows
	if s.rows == 0 {
		return nil
	}
	p.rows, p.nonzero = rows, p.nonzero+s.nonzero
	dense := s.wantsDense(rows, rows, s.cols, p.nonzero)
	x, err := s.as(dense)
	if err != nil {
		return err
	}
	p.forms[dense] = true
	if b.fillPassed(x) {
		err = b.opts.Each(first, &data.Set{X: x})
	}
	s.clear()
	return err
}

// fillPassed fills in what rows lack, and reports whether they can be handed on. Where they cannot, treatMissing
// returns the error.
func (b *builder) fillPassed(x data.Matrix) bool {
	if !b.missing {
		return true
	}
	var e *data.UnfilledError
	p, by := b.passing, slices.Repeat([]data.Missing{b.opts.Missing}, b.store.cols)
	if gaps.Resolve(b.opts.Substitutes, by) != nil {
		return false
	}
	if errors.As(b.opts.Substitutes.Fill(x, by), &e) && (p.unfilled == nil || e.Feature < p.unfilled.Feature) {
		p.unfilled = e
	}
	return p.unfilled == nil
}

// passed hands the last rows on, and returns the dimensions of all rows.
func (b *builder) passed() (data.Matrix, error) {
	if err := b.passRows(); err != nil {
		return nil, err
	}
	s, p := &b.store, b.passing
	dense := s.wantsDense(p.rows, p.rows, s.cols, p.nonzero)
	if p.forms[!dense] {
		return nil, &formError{map[bool]Storage{true: StoreDense, false: StoreCSR}[dense]}
	}
	return &data.CSR{Rows: p.rows, Cols: s.cols}, nil
}
