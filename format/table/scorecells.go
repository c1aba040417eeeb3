package table

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/memory"
)

// scoreCells are the cells of a table of scores.
type scoreCells struct {
	chunks [][]*scoreChunk          // by system, then of chunkItems items each; nil where there is no score
	about  [][]*[chunkItems]float64 // of chunks of repeats: Σ (y − mean)²
	seen   map[repeatBlock]uint64
	last   repeatBlock // that was looked for, and its bits
	bits   uint64
	asked  int // cells that there was memory for
}

const chunkItems = 64

// scoreChunk is the scores of a system on some items. It has no pointer, so that nothing looks into it for garbage.
type scoreChunk struct {
	mean  [chunkItems]float64
	first [chunkItems]int32 // the line of the score, from 1; how many there are where they are repeats; 0 for none
}

// repeatBlock is one repeat of a system on 64 items.
type repeatBlock struct{ system, repeat, items int32 }

// room returns an error where a table of so many systems and items may not fit into memory.
func (c *scoreCells) room(systems, items int) error {
	const some, perCell, growth = 1 << 16, 20, 1.5
	n := systems * items
	if n < max(some, c.asked) {
		return nil
	}
	c.asked = int(growth * float64(n))
	return memory.Ask(perCell*float64(c.asked), fmt.Sprintf("a table of %d systems and %d items", systems, items))
}

// add adds a score of a line, of a repeat that is not −1 where scores repeat. is says that the cell has one, in line
// first.
func (c *scoreCells) add(system, item, repeat int32, y float64, line int) (first int32, is bool, err error) {
	for int(system) >= len(c.chunks) {
		c.chunks, c.about = append(c.chunks, nil), append(c.about, nil)
	}
	at, k := int(item)/chunkItems, int(item)%chunkItems
	if more := at + 1 - len(c.chunks[system]); more > 0 {
		c.chunks[system] = append(c.chunks[system], make([]*scoreChunk, more)...)
		if repeat >= 0 {
			c.about[system] = append(c.about[system], make([]*[chunkItems]float64, more)...)
		}
	}
	chunk := c.chunks[system][at]
	if chunk == nil {
		chunk = &scoreChunk{}
		if c.chunks[system][at] = chunk; repeat >= 0 {
			c.about[system][at] = &[chunkItems]float64{}
		}
	}
	n := &chunk.first[k]
	if repeat < 0 {
		if *n > 0 {
			return *n, true, nil
		}
		if line > math.MaxInt32 {
			return 0, false, fmt.Errorf("more than %d lines", math.MaxInt32)
		}
		chunk.mean[k], *n = y, int32(line)
		return 0, false, nil
	}
	if c.again(system, item, repeat) {
		return 0, true, nil
	}
	*n++
	d := y - chunk.mean[k]
	chunk.mean[k] += d / float64(*n)
	c.about[system][at][k] += d * (y - chunk.mean[k])
	return 0, false, nil
}

// again reports whether a repeat of a cell is there, and takes note of it.
func (c *scoreCells) again(system, item, repeat int32) bool {
	const width = 64
	b := repeatBlock{system, repeat, item / width}
	if c.seen == nil {
		c.seen = map[repeatBlock]uint64{}
		c.last = repeatBlock{-1, -1, -1}
	}
	if b != c.last {
		c.seen[c.last] = c.bits
		c.last, c.bits = b, c.seen[b]
	}
	bit := uint64(1) << (item % width)
	is := c.bits&bit != 0
	c.bits |= bit
	return is
}

// table is the cells of all systems and items, the mean variance of a mean of repeats, and how many there are; nil
// where no cell has a score.
func (c *scoreCells) table(systems, items int) (y *data.Dense, variance float64, repeated int, err error) {
	const perCell = 8
	if err := memory.Ask(perCell*float64(systems)*float64(items),
		fmt.Sprintf("a table of %d systems and %d items", systems, items)); err != nil {
		return nil, 0, 0, err
	}
	if len(c.chunks) == 0 {
		return nil, 0, 0, nil
	}
	y = data.NewDense(items, systems, nil)
	blocks := (items + chunkItems - 1) / chunkItems
	for at := range blocks { // whose rows stay in the cache
		if at%(blocks/4+1) == 0 {
			memory.Release() // of chunks that are in the table
		}
		rows := y.Data[at*chunkItems*systems : min((at+1)*chunkItems, items)*systems]
		for k := range rows {
			rows[k] = math.NaN()
		}
		for s, of := range c.chunks {
			if at >= len(of) || of[at] == nil {
				continue
			}
			for k, n := range of[at].first {
				if n == 0 {
					continue
				}
				rows[k*systems+s] = of[at].mean[k]
				if len(c.about[s]) > 0 && n > 1 {
					repeated++
					variance += c.about[s][at][k] / float64(n-1) / float64(n)
				}
			}
			of[at] = nil
		}
	}
	if repeated > 0 {
		variance /= float64(repeated)
	}
	return y, variance, repeated, nil
}
