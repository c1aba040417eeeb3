package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// report prints the differences, then what was compared, by group. It is an error
// that there are differences which were not intended.
func report(w io.Writer, s settings, results []result) error {
	type count struct{ cases, differ, intended int }
	var groups []string
	counts := map[string]*count{}
	whole := &count{}
	var listed []result                        // not intended
	meant := make([][]result, len(s.intended)) // by intention
	var stale []result
	for _, r := range results {
		if counts[r.group] == nil {
			groups, counts[r.group] = append(groups, r.group), &count{}
		}
		of := intentionOf(s.intended, r)
		for _, c := range []*count{counts[r.group], whole} {
			c.cases++
			switch {
			case len(r.differences) == 0:
			case of >= 0:
				c.intended++
			default:
				c.differ++
			}
		}
		switch {
		case len(r.differences) == 0:
		case of >= 0:
			meant[of] = append(meant[of], r)
		default:
			listed = append(listed, r)
		}
		if r.exit != unknown && r.exit != r.before.exit {
			stale = append(stale, r)
		}
	}
	for _, r := range listed {
		r.write(w)
	}
	for k, some := range meant {
		fmt.Fprintf(w, "intended: %s (%s): %d\n", s.intended[k].reason, s.intended[k].cases, len(some))
		for _, r := range some {
			r.write(w)
		}
	}
	for _, r := range stale {
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
	for _, name := range groups {
		c := counts[name]
		fmt.Fprintf(table, "%d\t%d\t%d\t  %s\n", c.cases, c.differ, c.intended, name)
	}
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
