package table

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/memory"
)

// scoreCells are the cells of a table of scores, by system and then by item.
type scoreCells struct {
	mean  [][]float64
	first [][]int32   // the line of the score, from 1; how many there are where they are repeats; 0 for none
	about [][]float64 // Σ (y − mean)², where they are repeats
	seen  map[repeatBlock]uint64
	last  repeatBlock // that was looked for, and its bits
	bits  uint64
	asked int // cells that there was memory for
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
	for int(system) >= len(c.mean) {
		c.mean, c.first, c.about = append(c.mean, nil), append(c.first, nil), append(c.about, nil)
	}
	mean, at := &c.mean[system], &c.first[system]
	if more := int(item) + 1 - len(*mean); more > 0 {
		*mean, *at = widened(*mean, more, c.mean), widened(*at, more, c.first)
		if repeat >= 0 {
			c.about[system] = widened(c.about[system], more, c.about)
		}
	}
	n := &(*at)[item]
	if repeat < 0 {
		if *n > 0 {
			return *n, true, nil
		}
		if line > math.MaxInt32 {
			return 0, false, fmt.Errorf("more than %d lines", math.MaxInt32)
		}
		(*mean)[item], *n = y, int32(line)
		return 0, false, nil
	}
	if c.again(system, item, repeat) {
		return 0, true, nil
	}
	*n++
	d := y - (*mean)[item]
	(*mean)[item] += d / float64(*n)
	c.about[system][item] += d * (y - (*mean)[item])
	return 0, false, nil
}

// widened is a column with more cells, of the capacity of the first one where it begins.
func widened[T any](column []T, more int, all [][]T) []T {
	if column == nil {
		column = make([]T, 0, max(more, len(all[0])))
	}
	return append(column, make([]T, more)...)
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

// table is the cells of all systems and items, the mean variance of a mean of repeats, and how many there are; nil where
// no cell has a score.
func (c *scoreCells) table(systems, items int) (y *data.Dense, variance float64, repeated int, err error) {
	const perCell = 8
	if err := memory.Ask(perCell*float64(systems)*float64(items),
		fmt.Sprintf("a table of %d systems and %d items", systems, items)); err != nil {
		return nil, 0, 0, err
	}
	if len(c.mean) == 0 {
		return nil, 0, 0, nil
	}
	y = data.NewDense(items, systems, nil)
	for k := range y.Data {
		y.Data[k] = math.NaN()
	}
	const block = 512 // items, whose rows stay in the cache
	for lo := 0; lo < items; lo += block {
		for s, column := range c.mean {
			first := c.first[s][min(lo, len(column)):min(lo+block, len(column))]
			for k, n := range first {
				i := lo + k
				if n == 0 {
					continue
				}
				y.Data[i*systems+s] = column[i]
				if about := c.about[s]; about != nil && n > 1 {
					repeated++
					variance += about[i] / float64(n-1) / float64(n)
				}
			}
		}
	}
	if repeated > 0 {
		variance /= float64(repeated)
	}
	return y, variance, repeated, nil
}
