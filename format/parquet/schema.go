package parquet

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	lib "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// kind is what the values of a column are.
type kind int

const (
	numbers kind = iota
	truths       // booleans
	texts
	dates  // days, times, and both
	others // what a table has no place for
)

// plural names the values of a kind, for errors.
var plural = [...]string{numbers: "numbers", truths: "booleans", texts: "texts", dates: "dates or times",
	others: "values"}

// leaf is a column of a file that holds values.
type leaf struct {
	name   string // with the names of the structs around it, as in place.x
	index  int    // among the columns of the file
	kind   kind
	what   string // plural of the values of kind others
	list   bool   // each row holds a list
	maxDef byte   // the definition level of a value that is there
	// elementDef is the least definition level of an element of a list, which may be missing.
	elementDef byte

	physical lib.Kind
	unsigned bool
	half     bool // 16-bit numbers in two bytes
	scale    int  // decimals are the integers times 10^−scale
	decimal  bool
	uuid     bool
	clock    clock
	tick     time.Duration // of times; 0 where the integers are days
}

// numeric reports whether the values are numbers, as the elements of a list must be.
func (l *leaf) numeric() bool { return l.kind == numbers || l.kind == truths }

// clock is what dates tell.
type clock int

const (
	moment    clock = iota // a day, or a day and a time
	timeOfDay              // a time without a day
	oldMoment              // a moment in the 12 bytes that older writers use
)

// leavesOf finds the columns of a file with values, in the order of the file.
func leavesOf(f *lib.File) []leaf {
	var w walker
	schema := f.Metadata().Schema
	for k := range schema {
		if e := &schema[k]; e.Type.Valid && (!e.NumChildren.Valid || e.NumChildren.V == 0) {
			w.elements = append(w.elements, e)
		}
	}
	for _, c := range f.Root().Columns() {
		w.walk(c, []string{c.Name()}, "")
	}
	return w.leaves
}

// walker walks the tree of the columns of a file.
type walker struct {
	elements   []*format.SchemaElement // of the leaves
	leaves     []leaf
	elementDef byte // of the last list that was entered
}

// walk takes a column with the names of the structs around it and its own. what names values that
// have no place in a table.
func (w *walker) walk(c *lib.Column, names []string, what string) {
	if c.Repeated() {
		w.elementDef = byte(c.MaxDefinitionLevel())
	}
	if c.Leaf() {
		l := leafOf(c, w.elements[c.Index()])
		if l.name, l.elementDef = strings.Join(names, "."), w.elementDef; what != "" {
			l.kind, l.what = others, what
		}
		w.leaves = append(w.leaves, l)
		return
	}
	switch kindOfGroup(c) {
	case "map":
		for _, entry := range c.Columns() { // keys and values
			for _, child := range entry.Columns() {
				w.walk(child, append(names[:len(names):len(names)], child.Name()), "maps")
			}
		}
		return
	case "list":
		for _, repeated := range c.Columns() {
			w.walkList(repeated, names, what)
		}
		return
	}
	for _, child := range c.Columns() {
		w.walk(child, append(names[:len(names):len(names)], child.Name()), what)
	}
}

// walkList walks the repeated column below a list. The names of the levels of a list say nothing.
func (w *walker) walkList(repeated *lib.Column, names []string, what string) {
	if inner := repeated.Columns(); len(inner) == 1 && kindOfGroup(repeated) == "" {
		w.elementDef = byte(repeated.MaxDefinitionLevel())
		w.walk(inner[0], names, what)
		return
	}
	w.walk(repeated, names, what)
}

// kindOfGroup is "list" or "map" for groups that stand for these, else "".
func kindOfGroup(c *lib.Column) string {
	t := c.Type()
	if t == nil {
		return ""
	}
	if logical := t.LogicalType(); logical != nil {
		switch logical.Value.(type) {
		case *format.ListType:
			return "list"
		case *format.MapType:
			return "map"
		}
	}
	if converted := t.ConvertedType(); converted != nil {
		switch *converted {
		case deprecated.List:
			return "list"
		case deprecated.Map, deprecated.MapKeyValue:
			return "map"
		}
	}
	return ""
}

// leafOf describes a column by its element of the schema.
func leafOf(c *lib.Column, e *format.SchemaElement) leaf {
	l := leaf{index: c.Index(), maxDef: byte(c.MaxDefinitionLevel()), list: c.MaxRepetitionLevel() == 1,
		physical: c.Type().Kind()}
	l.kind = map[lib.Kind]kind{lib.Boolean: truths, lib.ByteArray: texts, lib.Int96: dates}[l.physical]
	if l.physical == lib.Int96 {
		l.clock = oldMoment
	}
	if l.physical == lib.FixedLenByteArray {
		l.kind, l.what = others, "bytes"
	}
	if e.LogicalType.Value != nil {
		l.logical(e)
	} else if e.ConvertedType.Valid {
		l.converted(e)
	}
	if l.decimal && (l.scale < -mostDigits || l.scale > mostDigits) {
		l.kind, l.what = others, fmt.Sprintf("decimals with %d digits after the point", l.scale)
	}
	if c.MaxRepetitionLevel() > 1 {
		l.kind, l.what = others, "lists of lists"
	}
	return l
}

// mostDigits is the largest scale of a decimal: beyond it all numbers are 0 or no float64.
const mostDigits = 400

// logical takes what a logical type says of the values.
func (l *leaf) logical(e *format.SchemaElement) {
	switch t := e.LogicalType.Value.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		l.kind = texts
	case *format.DecimalType:
		l.kind, l.decimal, l.scale = numbers, true, int(t.Scale)
	case *format.IntType:
		l.unsigned = !t.IsSigned
	case *format.DateType:
		l.kind = dates
	case *format.TimeType:
		l.kind, l.clock, l.tick = dates, timeOfDay, t.Unit.Value.Duration()
	case *format.TimestampType:
		l.kind, l.tick = dates, t.Unit.Value.Duration()
	case *format.UUIDType:
		l.kind, l.uuid = texts, true
	case *format.Float16Type:
		l.kind, l.half = numbers, true
	case *format.NullType:
	default:
		l.kind, l.what = others, strings.ToLower(t.String())+" values"
	}
}

// converted takes what the older form of a logical type says of the values.
func (l *leaf) converted(e *format.SchemaElement) {
	switch e.ConvertedType.V {
	case deprecated.UTF8, deprecated.Enum, deprecated.Json:
		l.kind = texts
	case deprecated.Decimal:
		l.kind, l.decimal, l.scale = numbers, true, int(e.Scale.V)
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		l.unsigned = true
	case deprecated.Date:
		l.kind = dates
	case deprecated.TimeMillis:
		l.kind, l.clock, l.tick = dates, timeOfDay, time.Millisecond
	case deprecated.TimeMicros:
		l.kind, l.clock, l.tick = dates, timeOfDay, time.Microsecond
	case deprecated.TimestampMillis:
		l.kind, l.tick = dates, time.Millisecond
	case deprecated.TimestampMicros:
		l.kind, l.tick = dates, time.Microsecond
	case deprecated.Interval, deprecated.Bson:
		l.kind, l.what = others, "intervals or documents"
	}
}

// values names the values of a column, for errors.
func (l *leaf) values() string {
	text := cmp.Or(l.what, plural[l.kind])
	if l.list {
		return "lists of " + text
	}
	return text
}
