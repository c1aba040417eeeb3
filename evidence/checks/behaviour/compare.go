package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// difference is something that two programs do not do alike.
type difference struct {
	what    string // stdout, stderr, exit or the name of a file
	excerpt []string
}

// differences are those of two runs of a case.
func (o outcome) differences(with outcome) (all []difference) {
	if o.exit != with.exit {
		all = append(all, difference{"exit", []string{fmt.Sprintf("-%d", o.exit), fmt.Sprintf("+%d", with.exit)}})
	}
	streams := []struct {
		name string
		a, b []byte
	}{{"stdout", o.stdout, with.stdout}, {"stderr", o.stderr, with.stderr}}
	for _, s := range streams {
		if a, b := settled(s.a), settled(s.b); !bytes.Equal(a, b) {
			all = append(all, difference{s.name, excerpt(a, b)})
		}
	}
	names := slices.Concat(slices.Collect(maps.Keys(o.files)), slices.Collect(maps.Keys(with.files)))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		a, before := o.files[name]
		b, after := with.files[name]
		switch {
		case !before:
			all = append(all, difference{name, []string{"only after: " + b.kind()}})
		case !after:
			all = append(all, difference{name, []string{"only before: " + a.kind()}})
		case !bytes.Equal(a.text, b.text):
			all = append(all, difference{name, excerpt(a.text, b.text)})
		case a.mode != b.mode:
			all = append(all, difference{name, []string{"-" + a.mode.String(), "+" + b.mode.String()}})
		}
	}
	return all
}

// kind tells people what was left.
func (w written) kind() string {
	switch {
	case w.mode.IsDir():
		return "a folder"
	case w.mode&fs.ModeDevice != 0:
		return "the input is gone"
	}
	return fmt.Sprintf("a file of %d bytes", len(w.text))
}
