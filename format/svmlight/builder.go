package svmlight

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/internal/gaps"
	"pairrank/internal/memory"
)

// margin is the factor by which allocations exceed the estimated rest of the file. Memory that is
// never written to costs nothing.
const margin = 1.15

// builder assembles blocks into a Set.
type builder struct {
	name   string
	opts   Options
	source *codec.Reader

	portion int64 // of text, after which the whole is estimated

	lines  int
	text   int64 // bytes of text taken
	done   int64 // bytes of the source taken
	hasQID bool

	y        []float64
	of       []int32
	ids      []string
	number   map[string]int32
	comments []string
	notes    []data.Note
	small    int // bytes of names and comments not yet reserved
	missing  bool
	store    store
	passing  *passing // of the rows to Options.Each as they come, else nil
}

func newBuilder(source *codec.Reader, opts Options, portion int64) *builder {
	b := &builder{name: source.Name(), opts: opts, source: source, portion: portion, number: map[string]int32{}}
	b.store.kind = opts.Storage
	b.store.cols = opts.leastFeatures()
	return b
}

// add takes the rows of the next block, or returns the first error in it.
func (b *builder) add(block *block) error {
	if rows := len(block.labels); rows > 0 {
		if len(b.y) == 0 {
			b.hasQID = block.hasQID
		} else if b.hasQID != block.hasQID {
			return block.mixed.at(b.name, b.lines+block.firstLine)
		}
	}
	if block.fault != nil {
		return block.fault.at(b.name, b.lines+block.lines)
	}
	b.lines += block.lines
	b.text += int64(len(block.Bytes))
	b.done = block.Done
	for _, note := range block.notes {
		note.Row += len(b.y)
		b.notes = append(b.notes, note)
	}
	if len(block.labels) == 0 {
		return nil
	}
	if len(b.y) > math.MaxInt32-len(block.labels) {
		return fmt.Errorf("%s: more than %d rows", b.name, math.MaxInt32)
	}
	more, stable := b.growth()
	if err := b.ask(block, more); err != nil {
		return fmt.Errorf("%s: %w", b.name, err)
	}
	b.y = grow(b.y, len(block.labels), more)
	b.y = append(b.y, block.labels...)
	b.addQueries(block, more)
	if b.opts.KeepComments {
		b.addComments(block, more)
	}
	b.missing = b.missing || block.missing
	if b.passing != nil {
		return b.pass(block)
	}
	if err := b.store.add(block, more, stable); err != nil {
		return fmt.Errorf("%s: %w", b.name, err)
	}
	return nil
}

// ask reserves memory for labels, queries and comments; store reserves its own. Names and comments
// count from some megabytes on.
func (b *builder) ask(block *block, more float64) error {
	const some = 4 << 20
	all := func(need int) int { return capacity(need, more) }
	need := memory.Claim(b.y, len(block.labels), all)
	if b.hasQID {
		need += memory.Claim(b.of, len(block.of), all)
	}
	if b.opts.KeepComments {
		need += memory.Claim(b.comments, len(block.textEnd), all)
		b.small += len(block.texts)
	}
	for _, note := range block.notes {
		b.small += len(note.Text) + perName
	}
	if b.small > some {
		need, b.small = need+float64(b.small), 0
	}
	return memory.Ask(need, memory.Rows(len(b.y)))
}

// perName is the approximate overhead of a name in bytes, besides its letters.
const perName = 64

// growth returns the estimated ratio of the whole file to the part read so far (0 when the file
// size is unknown), and whether that part is large enough for the estimate to be stable.
func (b *builder) growth() (ratio float64, stable bool) {
	total := float64(b.source.Size())
	if b.text < b.portion {
		return 0, false
	}
	if total < 0 {
		return 0, true
	}
	done := float64(b.text)
	if b.source.Format() != codec.Plain {
		done = float64(b.done - codec.BufferSize)
	}
	if done <= 0 {
		return 0, false // the text so far came from one buffer
	}
	return max(1, total/done), true
}

func (b *builder) addQueries(block *block, more float64) {
	if !b.hasQID {
		return
	}
	global := make([]int32, len(block.ids))
	for k, id := range block.ids {
		g, known := b.number[id]
		if !known {
			g = int32(len(b.ids))
			b.ids = append(b.ids, id)
			b.number[id] = g
			b.small += len(id) + perName
		}
		global[k] = g
	}
	b.of = grow(b.of, len(block.of), more)
	for _, k := range block.of {
		b.of = append(b.of, global[k])
	}
}

func (b *builder) addComments(block *block, more float64) {
	texts := string(block.texts)
	b.comments = grow(b.comments, len(block.textEnd), more)
	start := 0
	for _, end := range block.textEnd {
		b.comments = append(b.comments, texts[start:end])
		start = end
	}
}

// finish returns the Set when all blocks are taken.
func (b *builder) finish() (*data.Set, error) {
	if len(b.y) == 0 {
		return nil, noRows(b.name, b.lines)
	}
	matrix := b.store.matrix
	if b.passing != nil {
		matrix = b.passed
	}
	x, err := matrix()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.name, err)
	}
	const perRow = 16 // the partition by query
	err = memory.Ask(perRow*float64(len(b.y)), "the queries of all rows")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.name, err)
	}
	set := &data.Set{X: x, Y: b.y, HasQID: b.hasQID, Comments: b.comments, Notes: b.notes,
		Substitutes: b.opts.Substitutes, ZeroBased: b.opts.ZeroBased}
	if err := b.treatMissing(set); err != nil {
		return nil, err
	}
	if err := b.censor(set); err != nil {
		return nil, err
	}
	if b.hasQID {
		set.Queries = data.NewQueries(b.of, b.ids)
	} else {
		set.Queries = data.OneList(len(b.y))
	}
	if b.opts.Each != nil && b.passing == nil {
		return set, b.opts.Each(0, set)
	}
	return set, nil
}

// censor makes times and marks of labels, where they are times.
func (b *builder) censor(set *data.Set) error {
	if set.Censored = b.opts.timesOf(set.Y); set.Censored == nil || slices.Contains(set.Censored, false) {
		return nil
	}
	return &data.SyntaxError{File: b.name, Msg: "no row had the event: all times are negative, which is censored"}
}

// timesOf makes times of labels, where they are times, and returns which are censored.
func (o *Options) timesOf(y []float64) (censored []bool) {
	if !o.Censored {
		return nil
	}
	censored = make([]bool, len(y))
	for i, t := range y {
		y[i], censored[i] = math.Abs(t), math.Signbit(t)
	}
	return censored
}

// treatMissing fills in what is missing, and keeps the treatment and its values, or refuses another one than that of
// the model.
func (b *builder) treatMissing(set *data.Set) error {
	policy, ofModel := b.opts.Missing, b.opts.Features > 0
	means := policy == data.MissingMean || policy == data.MissingMin
	switch {
	case !b.missing && ofModel && (b.opts.Substitutes == nil || policy == data.MissingModel):
		return nil
	case !b.missing && !ofModel && !means:
		if policy == data.MissingZero {
			set.Substitutes = &data.Substitutes{By: []data.Missing{policy}}
		}
		return nil
	}
	const vectors = 5 // the treatments, means or minima of all features, and their sums
	n := b.store.cols
	const each = 8 * vectors
	err := memory.Ask(each*float64(n), fmt.Sprintf("there are too many features, %d: to fill in what is missing", n))
	if err != nil {
		return fmt.Errorf("%s: %w", b.name, err)
	}
	by := slices.Repeat([]data.Missing{policy}, n)
	if !ofModel {
		set.Substitutes = data.SubstitutesOf(set.X, by)
	} else if err := gaps.Resolve(set.Substitutes, by); err != nil {
		return &data.SyntaxError{File: b.name, Msg: err.Error(), Err: err}
	}
	e := b.unfilled(set, by)
	if e == nil {
		return nil
	}
	return &data.SyntaxError{File: b.name, Msg: fmt.Sprintf("feature %d: %v", e.Feature+1, e), Err: e}
}

// unfilled fills in what is missing, and returns the error about the least feature that has no value for it.
func (b *builder) unfilled(set *data.Set, by []data.Missing) (e *data.UnfilledError) {
	switch {
	case !b.missing:
	case b.passing != nil:
		return b.passing.unfilled
	default:
		errors.As(set.Substitutes.Fill(set.X, by), &e)
	}
	return e
}

// grow returns s with capacity for add more items. If it allocates, it allocates for all expected
// items.
func grow[T any](s []T, add int, growth float64) []T {
	need := len(s) + add
	if need <= cap(s) {
		return s
	}
	return memory.Moved(s, capacity(need, growth))
}

// capacity returns how much to allocate when need items are present and growth times as many are
// expected: twice need when growth is 0 (unknown).
func capacity(need int, growth float64) int {
	if growth == 0 {
		return 2 * need
	}
	return max(int(float64(need)*growth*margin), need+need/8)
}
