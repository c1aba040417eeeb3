package option

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pairrank/internal/numeral"
	"pairrank/internal/spell"
)

// Value is the value of an option on a command line, as packages flag and pflag take it. Type names its kind.
type Value interface {
	String() string
	Set(text string) error
	Type() string
}

// Targets are where the values of options go, by their names. A target is
//
//   - a pointer to a bool, string, int, uint64, float64 or time.Duration;
//   - a pointer to a *float64, which stays nil if the option is not given;
//   - a Reader;
//   - a Value. One that has a method Names gets the names of the figures.
type Targets map[string]any

// Reader makes a value of the text of an option. Its error does not name the option.
type Reader func(text string) error

// Into returns a Reader that parses a text by read and stores the result in to.
func Into[T any](to *T, read func(text string) (T, error)) Reader {
	return func(text string) error {
		v, err := read(text)
		if err == nil {
			*to = v
		}
		return err
	}
}

// Checked is a Value that accepts any text; Wrong returns the error. It is asked after all options are read, so that
// --progress json holds for this error, too.
type Checked interface{ Wrong() error }

// Bind calls add with every option, its value, set to the default, and its text with the names that it takes. It
// panics for an option without a target.
func Bind(options []Option, targets Targets, add func(o *Option, v Value, usage string)) {
	for k := range options {
		o := &options[k]
		v := o.valueOf(targets[o.Name])
		if names, own := v.(*Names); own && names.read == nil || o.Default == "" {
			add(o, v, o.usage())
			continue
		}
		err := v.Set(o.Default)
		if c, checked := v.(Checked); checked {
			err = c.Wrong()
		}
		if err != nil {
			panic(fmt.Sprintf("option: the default of --%s: %v", o.Name, err))
		}
		add(o, v, o.usage())
	}
}

// Some are the options of a verb with these names, in the order of the names, for rows where the verb is for all data.
func Some(verb string, names ...string) (some []Option) {
	all := Of(verb)
	for _, name := range names {
		at := slices.IndexFunc(all, func(o Option) bool { return o.Name == name })
		o := all[at]
		o.StreamNames, o.EdgeNames = nil, nil
		some = append(some, o)
	}
	return some
}

// usage is the text of the option with the names that it takes.
func (o *Option) usage() string {
	if o.Names == nil {
		return o.Help
	}
	return o.Help + ": " + strings.Join(o.Names, ", ")
}

// valueOf is the value of the option at a target.
func (o *Option) valueOf(target any) Value {
	switch target := target.(type) {
	case Value:
		if figures, is := target.(interface{ Names(of []string) }); is {
			figures.Names(o.Figures())
		}
		return target
	case Reader:
		if o.Names != nil {
			return &Names{new(string), o.Names, o.EdgeNames != nil, target}
		}
		return &readText{read: target}
	case *bool:
		return (*toggle)(target)
	case *string:
		if *target = o.Default; o.Names != nil {
			return &Names{target, o.Names, o.EdgeNames != nil, nil}
		}
		return (*text)(target)
	case *int:
		return (*whole)(target)
	case *uint64:
		return (*natural)(target)
	case *float64:
		return (*number)(target)
	case **float64:
		return &optional{to: target}
	case *time.Duration:
		return (*duration)(target)
	}
	panic(fmt.Sprintf("option: --%s cannot go to a %T", o.Name, target))
}

// Names is the value of an option that takes one of some names.
type Names struct {
	target *string
	Known  []string
	any    bool   // others are refused by Check, which knows the kind of data
	read   Reader // or nil
}

func (n *Names) String() string {
	if n.target == nil { // as package flag asks for the zero value
		return ""
	}
	return *n.target
}
func (n *Names) Type() string { return "NAME" }
func (n *Names) Set(text string) error {
	if !n.any && !slices.Contains(n.Known, text) {
		return errors.New(unknown(text, n.Known))
	}
	*n.target = text
	if n.read == nil {
		return nil
	}
	return n.read(text)
}

// unknown says which names are known instead of a text.
func unknown(text string, known []string) string {
	if near := spell.Nearest(text, known); near != "" {
		return fmt.Sprintf("unknown value, did you mean %s? known are %s", near, strings.Join(known, ", "))
	}
	return "unknown value: known are " + strings.Join(known, ", ")
}

// readText is a text of which a Reader makes a value.
type readText struct {
	text  string
	read  Reader
	wrong error
}

func (t *readText) Type() string   { return "string" }
func (t *readText) String() string { return t.text }
func (t *readText) Wrong() error   { return t.wrong }
func (t *readText) Set(text string) error {
	t.text, t.wrong = text, t.read(text)
	return nil
}

// optional is a number that may not be given.
type optional struct {
	number
	to **float64
}

func (n *optional) String() string {
	if n.to == nil || *n.to == nil {
		return ""
	}
	return n.number.String()
}
func (n *optional) Set(s string) error {
	err := n.number.Set(s)
	*n.to = (*float64)(&n.number)
	return err
}

type (
	toggle   bool
	text     string
	whole    int
	natural  uint64
	number   float64
	duration time.Duration
)

func (b *toggle) Type() string     { return "bool" }
func (b *toggle) String() string   { return strconv.FormatBool(bool(*b)) }
func (b *toggle) IsBoolFlag() bool { return true }
func (b *toggle) Set(s string) error {
	v, err := strconv.ParseBool(s)
	*b = toggle(v)
	return parsed(err, "true or false")
}

func (t *text) Type() string   { return "string" }
func (t *text) String() string { return string(*t) }
func (t *text) Set(s string) error {
	*t = text(s)
	return nil
}

// Whole is the value of an option that takes a whole number.
func Whole(to *int) Value { return (*whole)(to) }

func (n *whole) Type() string   { return "int" }
func (n *whole) String() string { return strconv.Itoa(int(*n)) }
func (n *whole) Set(s string) error {
	v, err := strconv.ParseInt(s, 0, strconv.IntSize)
	*n = whole(v)
	return parsed(err, "a whole number")
}

func (n *natural) Type() string   { return "uint" }
func (n *natural) String() string { return strconv.FormatUint(uint64(*n), 10) }
func (n *natural) Set(s string) error {
	v, err := strconv.ParseUint(s, 0, 64)
	*n = natural(v)
	return parsed(err, "a whole number from 0")
}

func (n *number) Type() string   { return "F" }
func (n *number) String() string { return strconv.FormatFloat(float64(*n), 'g', -1, 64) }
func (n *number) Set(s string) error {
	v, err := numeral.Parse(s)
	*n = number(v)
	return parsed(err, "a number")
}

func (d *duration) Type() string   { return "duration" }
func (d *duration) String() string { return time.Duration(*d).String() }
func (d *duration) Set(s string) error {
	v, err := time.ParseDuration(s)
	*d = duration(v)
	return parsed(err, "a time, as 90s or 10m")
}

// parsed is the error of a value that is not of its kind.
func parsed(err error, kind string) error {
	if err == nil {
		return nil
	}
	return errors.New("not " + kind)
}
