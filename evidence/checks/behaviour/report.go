package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// count is how many invocations there are, and how many differ.
type count struct{ cases, differ, intended int }

// sorted are results by what they say.
type sorted struct {
	listed []result   // that differ, not intended
	meant  [][]result // that differ, by intention
	stale  []result   // whose exit code is not that of the file of cases
	groups []string
	counts map[string]*count // by group
	whole  count
}

// sort sorts the results.
func sort(s settings, results []result) *sorted {
	all := &sorted{meant: make([][]result, len(s.intended)), counts: map[string]*count{}}
	for _, r := range results {
		if r.exit != unknown && r.exit != r.before.exit {
			all.stale = append(all.stale, r)
		}
		group := all.counts[r.group]
		if group == nil {
			group = &count{}
			all.groups, all.counts[r.group] = append(all.groups, r.group), group
		}
		group.cases, all.whole.cases = group.cases+1, all.whole.cases+1
		switch of := intentionOf(s.intended, r); {
		case len(r.differences) == 0:
		case of >= 0:
			all.meant[of] = append(all.meant[of], r)
			group.intended, all.whole.intended = group.intended+1, all.whole.intended+1
		default:
			all.listed = append(all.listed, r)
			group.differ, all.whole.differ = group.differ+1, all.whole.differ+1
		}
	}
	return all
}

// report prints the differences, then what was compared, by group. It is an error
// that there are differences which were not intended.
func report(w io.Writer, s settings, results []result) error {
	all := sort(s, results)
	for _, r := range all.listed {
		r.write(w)
	}
	for k, some := range all.meant {
		fmt.Fprintf(w, "intended: %s (%s): %d\n", s.intended[k].reason, s.intended[k].cases, len(some))
		for _, r := range some {
			r.write(w)
		}
	}
	for _, r := range all.stale {
		fmt.Fprintf(w, "note: %s: the exit code before is %d, and the file of cases says %d: %s\n", r.place,
			r.before.exit, r.exit, r.line)
	}
	fmt.Fprintf(w, "\nNot compared, in standard output and standard error, with the number of invocations before:\n")
	for _, v := range volatiles {
		fmt.Fprintf(w, "  %-48s %5d  %s\n", v.what, v.cases.Load(), v.pattern)
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "invocations\tdiffer\tintended\t\n")
	for _, name := range all.groups {
		c := all.counts[name]
		fmt.Fprintf(table, "%d\t%d\t%d\t  %s\n", c.cases, c.differ, c.intended, name)
	}
	whole := all.whole
	fmt.Fprintf(table, "%d\t%d\t%d\t  in all\n", whole.cases, whole.differ, whole.intended)
	if err := table.Flush(); err != nil {
		return err
	}
	if whole.differ > 0 {
		return fmt.Errorf("%w in %d of %d invocations", errDiffers, whole.differ, whole.cases)
	}
	return nil
}

// intentionOf is the first intention that a case falls under, or -1.
func intentionOf(all []intention, r result) int {
	for k, i := range all {
		if i.cases.MatchString(r.line) {
			return k
		}
	}
	return -1
}

// write prints what differs in a case.
func (r result) write(w io.Writer) {
	fmt.Fprintf(w, "\n%s [%s]\n$ %s\n", r.place, r.group, r.name())
	for _, d := range r.differences {
		fmt.Fprintf(w, "  %s\n", d.what)
		for _, line := range d.excerpt {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
}
