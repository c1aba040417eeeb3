package parquet

import (
	"errors"
	"fmt"
	"io"
	"math"

	lib "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// cursor reads the values of a column of a row group in order.
type cursor struct {
	*leaf
	asText bool // the values are read as texts
	// checkDigits refuses a float as a name; nil where the values are no floats.
	checkDigits func(x float64, bits int) error
	pages       lib.Pages
	page        lib.Page // nil before the first and after the last

	levels     int    // of the page: its values with those that are missing
	defs, reps []byte // of each; nil where all values are there, and where none is in a list
	at, value  int    // the next level, and the next value

	of    encoding.Values // the values of the page or of its dictionary
	index []int32         // into the dictionary, of each value of the page; nil without
	own   []float64       // memory
	xs    []float64       // the values as numbers
	exact bool            // they all are
	words []string        // the values of the dictionary as texts
	seen  []bool          // which of them are
	last  string          // the text of the value before

	dictionary lib.Dictionary // that xs, words and seen are of
}

// errTooFew is about a column with fewer values than rows.
var errTooFew = errors.New("a column has fewer values than there are rows")

// close ends the reading.
func (c *cursor) close() {
	if c.page != nil {
		lib.Release(c.page)
	}
	c.pages.Close()
}

// more makes sure that there is a value, or returns io.EOF.
func (c *cursor) more() error {
	for c.at == c.levels {
		if err := c.turn(); err != nil {
			return err
		}
	}
	return nil
}

// turn goes to the next page.
func (c *cursor) turn() error {
	page, err := c.pages.ReadPage()
	if err != nil {
		return err
	}
	if c.page != nil {
		lib.Release(c.page)
	}
	c.page = page
	c.at, c.value, c.levels = 0, 0, int(page.NumValues())
	c.defs, c.reps = page.DefinitionLevels(), page.RepetitionLevels()
	if c.maxDef == 0 {
		c.defs = nil
	}
	n := c.levels
	if c.defs != nil {
		n = 0
		for _, d := range c.defs {
			if d == c.maxDef {
				n++
			}
		}
	}
	c.index = nil
	d := page.Dictionary()
	if d == nil {
		c.of, c.dictionary = page.Data(), nil
		c.decode(n)
		return nil
	}
	data := page.Data()
	c.index = data.Int32()
	if d != c.dictionary {
		c.of, c.dictionary = d.Page().Data(), d
		c.decode(d.Len())
		if c.asText {
			c.words, c.seen = make([]string, d.Len()), make([]bool, d.Len())
		}
	}
	return nil
}

// decode makes numbers of n values.
func (c *cursor) decode(n int) {
	if c.asText {
		return
	}
	c.xs, c.exact = c.numbersOf(c.own, c.of, n)
	if c.physical != lib.Double { // else they are in the memory of the page
		c.own = c.xs
	}
}

// inexactError is about an integer that no float64 holds.
type inexactError struct{ text string }

func (e *inexactError) Error() string {
	return e.text + " is an integer that a float64 cannot hold exactly"
}

// numbers reads the numbers of the next levels into dst, with NaN where one is missing. It returns
// how many it read, which is less than asked for with an error.
func (c *cursor) numbers(dst []float64) (int, error) {
	for done := 0; done < len(dst); {
		if err := c.more(); err != nil {
			return done, err
		}
		n := min(len(dst)-done, c.levels-c.at)
		if c.defs == nil && c.index == nil && c.exact {
			copy(dst[done:], c.xs[c.value:c.value+n])
			c.at, c.value, done = c.at+n, c.value+n, done+n
			continue
		}
		for ; n > 0; n, done = n-1, done+1 {
			if c.defs != nil && c.defs[c.at] != c.maxDef {
				dst[done] = math.NaN()
				c.at++
				continue
			}
			k := c.value
			if c.index != nil {
				k = int(c.index[k])
			}
			if !c.exact && !c.exactAt(c.of, k) {
				return done, &inexactError{c.textAt(c.of, k)}
			}
			dst[done] = c.xs[k]
			c.at++
			c.value++
		}
	}
	return len(dst), nil
}

// text reads the next level as a text; there is false where it is missing.
func (c *cursor) text() (text string, there bool, err error) {
	if err := c.more(); err != nil {
		return "", false, err
	}
	c.at++
	if c.defs != nil && c.defs[c.at-1] != c.maxDef {
		return "", false, nil
	}
	k := c.value
	c.value++
	if c.index == nil {
		if c.missing(c.of, k) {
			return "", false, nil
		}
		if c.kind == texts && !c.uuid { // equal neighbours, as of a query, share their memory
			if raw := c.bytes(c.of, k); string(raw) != c.last {
				c.last = string(raw)
			}
			return c.last, true, nil
		}
		if err := c.digitsAt(k); err != nil {
			return "", true, err
		}
		if text := c.textAt(c.of, k); text != c.last {
			c.last = text
		}
		return c.last, true, nil
	}
	if k = int(c.index[k]); !c.seen[k] {
		if c.missing(c.of, k) {
			return "", false, nil
		}
		if err := c.digitsAt(k); err != nil {
			return "", true, err
		}
		c.words[k], c.seen[k] = c.textAt(c.of, k), true
	}
	return c.words[k], true, nil
}

// digitsAt refuses value k as a name where it is a float that has lost digits.
func (c *cursor) digitsAt(k int) error {
	bits := c.floatBits()
	if bits == 0 {
		return nil
	}
	return c.checkDigits(c.floatAt(c.of, k), bits)
}

// nextList reads the list of the next row. It returns the number of its elements, of which dst gets as
// many as it has room for; there is false where the list is missing.
func (c *cursor) nextList(dst []float64) (n int, there bool, err error) {
	if err := c.more(); err != nil {
		return 0, false, err
	}
	if c.reps[c.at] != 0 {
		return 0, false, errors.New("a column begins within a list")
	}
	if d := c.defs[c.at]; d < c.elementDef {
		c.at++
		return 0, d == c.elementDef-1, nil
	}
	var one [1]float64
	for {
		to := one[:]
		if n < len(dst) {
			to = dst[n : n+1]
		}
		if _, err := c.numbers(to); err != nil {
			return n, true, err
		}
		n++
		switch err := c.more(); {
		case err == io.EOF || err == nil && c.reps[c.at] == 0:
			return n, true, nil
		case err != nil:
			return n, true, err
		}
	}
}

// end checks that all values were read.
func (c *cursor) end() error {
	err := c.more()
	if err == io.EOF {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("column %q has more values than there are rows", c.name)
	}
	return err
}
