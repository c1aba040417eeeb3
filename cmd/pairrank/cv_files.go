package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/quote"
	"pairrank/internal/report"
)

// mostPageRows is from how many rows on a page has no counts of wrong pairs that nobody asked for: those of fewer take
// seconds.
const mostPageRows = 4096

// writeAsked compares with --against, writes the files of --held-out and --roc, and makes the curve of --learning-curve
// and, for a page, that of --roc and the counts of wrong pairs where they exist. It is not run on another goroutine, so
// that an interruption removes a half-written file before the run ends.
func (a *app) writeAsked(f *cvFlags, p *learning, e *pairrank.Estimated, d *report.Estimate) error {
	if p.other != nil {
		if err := a.addAgainst(f, p, e, d); err != nil {
			return againstError(err)
		}
	}
	if f.heldOut != "" {
		if err := a.writeHeldOut(f, p, e); err != nil {
			return err
		}
	}
	if f.beside != "" {
		found, err := a.heldOutCompany(a.Ctx, p, e)
		if err != nil {
			return err
		}
		d.Beside = found
	}
	if f.selects() {
		selected, err := e.Selection(a.Ctx)
		if err != nil {
			return err
		}
		d.AddSelection(selected, p.problem.Set.Names)
	}
	if f.learning {
		curve, err := e.LearningCurve(a.Ctx)
		if err != nil {
			return err
		}
		d.AddLearningCurve(curve)
	}
	if err := a.addRowPairs(f, p, e, d); err != nil {
		return err
	}
	if p.options.ROC || f.pages.page != "" && a.soonROC(e) {
		return a.writeROC(f, e, d)
	}
	return nil
}

// addRowPairs adds the counts of wrong pairs of each row, where they exist and a page shows them.
func (a *app) addRowPairs(f *cvFlags, p *learning, e *pairrank.Estimated, d *report.Estimate) error {
	shown := f.pages.draws(report.RowsFigure) || f.pages.page != "" && e.Rows <= mostPageRows
	if !shown || !e.HasRowPairs() {
		return nil
	}
	pairs, err := e.RowPairs(a.Ctx)
	if err == nil {
		d.AddRowPairs(p.problem.Set, pairs)
	}
	return err
}

// soonROC reports whether a page has a ROC curve that nobody asked for, and tells where one takes too long.
func (a *app) soonROC(e *pairrank.Estimated) bool {
	has, soon := e.HasROC()
	if has && !soon {
		a.Note("the page has no ROC curve, which takes longer than twenty seconds: --roc FILE leaves out each pair of " +
			"rows")
	}
	return soon
}

// writeROC makes the ROC curve, and writes it into the file of --roc.
func (a *app) writeROC(f *cvFlags, e *pairrank.Estimated, d *report.Estimate) error {
	curve, err := a.addROC(f, e, d)
	if err != nil || f.roc == "" {
		return err
	}
	return a.Write(f.roc, func(w io.Writer) error { return report.WriteCurve(numbersIn(w, f.roc), curve) })
}

// writeHeldOut writes the held-out scores at the best candidate.
func (a *app) writeHeldOut(f *cvFlags, p *learning, e *pairrank.Estimated) error {
	set := p.problem.Set
	if f.compares() {
		held, err := e.HeldOutComparisons()
		if err != nil {
			return err
		}
		read := p.compared
		if read == nil {
			read = linesOf(p.problem.Preferences)
		}
		return a.Write(f.heldOut, func(w io.Writer) error { return writeMargins(numbersIn(w, f.heldOut), read, held) })
	}
	if e.Choice.Method.Kind == cv.LeavePairOut {
		if err := checkOutputFormat(f.heldOut, "held-out pairs", "csv"); err != nil {
			return err
		}
		return a.Write(f.heldOut, func(w io.Writer) error {
			pairs := pairWriter{w: w, sep: separatorOf(f.heldOut), set: set, pending: map[int][]byte{}}
			if err := pairs.begin(f.withIDs); err != nil {
				return err
			}
			err := e.HeldOutPairs(a.Ctx, pairs.take)
			return errors.Join(err, pairs.err)
		})
	}
	scores, err := e.HeldOut(a.Ctx)
	if err != nil {
		return err
	}
	return a.writeScores(f.heldOut, f.withIDs, set, scores.Data, e.Outputs)
}

// pairWriter writes the held-out pairs of rows of a query row by row, in order,
// whatever order the rows come in: i, j, f_i and f_j, rows by name, or else by their number in the input from 1.
type pairWriter struct {
	w       io.Writer
	sep     byte // between fields
	set     *data.Set
	names   []string // of the rows, as fields; nil where they are numbered
	mu      sync.Mutex
	next    int            // the row to be written next
	pending map[int][]byte // rows that came early
	err     error
}

// begin writes a header where the rows are named.
func (p *pairWriter) begin(named bool) error {
	if !named {
		return nil
	}
	p.names = make([]string, len(p.set.Y))
	for i := range p.names {
		name, err := quote.AppendField(nil, p.set.DocID(i), p.sep)
		if err != nil {
			return fmt.Errorf("row %d: %w", p.set.Number(i)+1, err)
		}
		p.names[i] = string(name)
	}
	_, err := io.WriteString(p.w, strings.ReplaceAll("i j f_i f_j\n", " ", string(p.sep)))
	return err
}

// name appends the name of a row.
func (p *pairWriter) name(text []byte, row int) []byte {
	if p.names != nil {
		return append(text, p.names[row]...)
	}
	return strconv.AppendInt(text, int64(p.set.Number(row)+1), 10)
}

func (p *pairWriter) take(i int, fi, fj []float64) {
	var text []byte
	without := func(i, j int) string { return p.set.Called(i) + " without " + p.set.Called(j) }
	overflow := cmp.Or(finite(fi, func(b int) string { return without(i, i+1+b) }),
		finite(fj, func(b int) string { return without(i+1+b, i) }))
	query := p.set.Queries.Of()
	for b := range fi {
		if query[i] != query[i+1+b] {
			continue
		}
		text = append(p.name(text, i), p.sep)
		text = append(p.name(text, i+1+b), p.sep)
		text = append(strconv.AppendFloat(text, fi[b], 'g', -1, 64), p.sep)
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
