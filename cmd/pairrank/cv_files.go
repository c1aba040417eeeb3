package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"pairrank"
	"pairrank/eval/cv"
	"pairrank/report"
)

// quickRows is from how many rows on the curve of a page that nobody asked for by --roc ranks them by
// the pairs of a quicksort: all pairs of fewer take seconds.
const quickRows = 4096

// writeAsked writes the files of --held-out and --roc, and makes the curve of
// --learning-curve, and that of --roc for a page where there is one. It is not run on another
// goroutine, so that an interruption removes a half-written file before the run ends.
func (a *app) writeAsked(f *cvFlags, p *learning, e *pairrank.Estimated, d *report.Estimate) error {
	if f.heldOut != "" {
		if err := a.writeHeldOut(f.heldOut, p, e); err != nil {
			return err
		}
	}
	if f.learning {
		curve, err := e.LearningCurve(a.Ctx)
		if err != nil {
			return err
		}
		d.AddLearningCurve(curve)
	}
	asked := p.options.ROC
	if !asked && (f.pages.page == "" || !e.HasROC()) {
		return nil
	}
	curve, comparisons, err := e.ROC(a.Ctx, f.quicksort() || !asked && e.Rows > quickRows)
	if err != nil {
		return err
	}
	d.AddROC(e, curve, comparisons)
	if f.roc == "" {
		return nil
	}
	return a.Write(f.roc, func(w io.Writer) error { return report.WriteCurve(numbersIn(w, f.roc), curve) })
}

// writeHeldOut writes the held-out scores at the best candidate.
func (a *app) writeHeldOut(path string, p *learning, e *pairrank.Estimated) error {
	if e.Choice.Method.Kind == cv.LeavePairOut {
		if err := checkHeldPairs(path); err != nil {
			return err
		}
		return a.Write(path, func(w io.Writer) error {
			pairs := pairWriter{w: numbersIn(w, path), query: p.problem.Set.Queries.Of(), pending: map[int][]byte{}}
			err := e.HeldOutPairs(a.Ctx, pairs.take)
			return errors.Join(err, pairs.err)
		})
	}
	scores, err := e.HeldOut(a.Ctx)
	if err != nil {
		return err
	}
	return a.writeScores(path, p.problem.Set, scores.Data, e.Outputs)
}

// checkHeldPairs refuses a file for held-out pairs whose name stands for a format that they do not have.
func checkHeldPairs(path string) error { return checkOutputFormat(path, "held-out pairs", "csv") }

// pairWriter writes the held-out pairs of rows of a query row by row, in order,
// whatever order the rows come in: i, j, f_i and f_j with tabs, rows numbered from 1.
type pairWriter struct {
	w       io.Writer
	query   []int32 // of each row
	mu      sync.Mutex
	next    int            // the row to be written next
	pending map[int][]byte // rows that came early
	err     error
}

func (p *pairWriter) take(i int, fi, fj []float64) {
	var text []byte
	overflow := cmp.Or(finite(fi, func(b int) string { return fmt.Sprintf("row %d without row %d", i+1, i+2+b) }),
		finite(fj, func(b int) string { return fmt.Sprintf("row %d without row %d", i+2+b, i+1) }))
	for b := range fi {
		if p.query[i] != p.query[i+1+b] {
			continue
		}
		text = fmt.Appendf(text, "%d\t%d\t", i+1, i+2+b)
		text = append(strconv.AppendFloat(text, fi[b], 'g', -1, 64), '\t')
		text = append(strconv.AppendFloat(text, fj[b], 'g', -1, 64), '\n')
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = cmp.Or(p.err, overflow)
	p.pending[i] = text
	for {
		text, ok := p.pending[p.next]
		if !ok || p.err != nil {
			return
		}
		delete(p.pending, p.next)
		p.next++
		_, p.err = p.w.Write(text)
	}
}
