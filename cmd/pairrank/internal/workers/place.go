package workers

import (
	"fmt"
	"strconv"
	"strings"
)

// Place is which of several workers this one is.
type Place struct {
	Index  int    // from 0
	Count  int    // at least 1
	Source string // where both are from, for people
}

// Takes reports whether the worker has the k-th of the files: k, counted from 0, leaves
// Index when it is divided by Count.
func (p Place) Takes(k int) bool { return k%p.Count == p.Index }

// Given is what the command line says of a place; nil where it does not.
type Given struct{ Index, Count *int }

// countVariable gives the number of workers where the array has no variable for it, as
// that of a Kubernetes Indexed Job.
const countVariable = "PAIRRANK_COUNT"

// array are the variables in which an engine of batch jobs tells a task which one it is.
type array struct {
	name         string
	index, count string // count is "" where there is none
	// Those of tasks that are not numbered from 0 in steps of 1, or "".
	least, most, step string
}

// arrays are the engines that are known. Sources: Kubernetes documentation, Indexed Job
// for parallel processing with static work assignment; sbatch(1), output environment
// variables; AWS Batch user guide, job environment variables; Google Cloud, Batch
// reserved environment variables, and Cloud Run jobs container contract.
var arrays = []array{
	{name: "Kubernetes", index: "JOB_COMPLETION_INDEX"},
	{name: "Slurm", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", least: "SLURM_ARRAY_TASK_MIN",
		most: "SLURM_ARRAY_TASK_MAX", step: "SLURM_ARRAY_TASK_STEP"},
	{name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE"},
	{name: "Google Cloud Batch", index: "BATCH_TASK_INDEX", count: "BATCH_TASK_COUNT"},
	{name: "Cloud Run", index: "CLOUD_RUN_TASK_INDEX", count: "CLOUD_RUN_TASK_COUNT"},
}

// number is a whole number, and where it is from.
type number struct {
	value  int
	source string
}

// told is what the environment says of a place: nil where it does not.
type told struct{ index, count *number }

// FindPlace is the place of this worker by the command line, or else by the variables of
// the environment: lookup is os.LookupEnv. Where neither says anything it is the only one.
//
// With both flags the environment is not looked at. Else it is an error when a flag and a
// variable, or the variables of two engines, do not say the same, when there is an index
// without a count or a count without an index, and when the index is not below the count.
func FindPlace(given Given, lookup func(string) (string, bool)) (Place, error) {
	flags := told{}
	if given.Index != nil {
		flags.index = &number{*given.Index, "--index"}
	}
	if given.Count != nil {
		flags.count = &number{*given.Count, "--count"}
	}
	all := flags
	if flags.index == nil || flags.count == nil {
		fromEnv, err := readArrays(lookup)
		if err != nil {
			return Place{}, err
		}
		if all, err = flags.agree(fromEnv); err != nil {
			return Place{}, err
		}
	}
	return all.place()
}

// place is the place that the numbers give.
func (t told) place() (Place, error) {
	index, count := t.index, t.count
	switch {
	case index == nil && count == nil:
		return Place{Count: 1, Source: "alone"}, nil
	case count != nil && count.value < 1:
		return Place{}, fmt.Errorf("%s is at least 1, not %d", count.source, count.value)
	case count == nil:
		return Place{}, fmt.Errorf("%s is %d, but the number of workers is not known: give --count or %s",
			index.source, index.value, countVariable)
	case index == nil:
		if count.value == 1 {
			return Place{Count: 1, Source: count.source}, nil
		}
		return Place{}, fmt.Errorf("%s is %d, but the number of this worker is not known: give --index",
			count.source, count.value)
	case index.value < 0 || index.value >= count.value:
		return Place{}, fmt.Errorf("%s is from 0 to %d, one less than %s, not %d", index.source, count.value-1,
			count.source, index.value)
	}
	source := index.source
	if count.source != source {
		source += ", " + count.source
	}
	return Place{Index: index.value, Count: count.value, Source: source}, nil
}

// agree is what two sources say, which must be the same.
func (t told) agree(other told) (all told, err error) {
	if all.index, err = agree(t.index, other.index); err == nil {
		all.count, err = agree(t.count, other.count)
	}
	return all, err
}

// agree is the number that two sources give, which must be one.
func agree(a, b *number) (*number, error) {
	switch {
	case a == nil:
		return b, nil
	case b != nil && a.value != b.value:
		return nil, fmt.Errorf("%s is %d, but %s is %d: give both --index and --count, which override the "+
			"environment", a.source, a.value, b.source, b.value)
	}
	return a, nil
}

// readArrays is what the variables of all engines say, which must be the same.
func readArrays(lookup func(string) (string, bool)) (all told, err error) {
	for _, a := range arrays {
		t, err := a.read(lookup)
		if err != nil {
			return told{}, err
		}
		if all, err = all.agree(t); err != nil {
			return told{}, err
		}
	}
	count, err := read(lookup, countVariable)
	if err == nil {
		all.count, err = agree(all.count, count)
	}
	return all, err
}

// read is what the variables of one engine say.
func (a array) read(lookup func(string) (string, bool)) (t told, err error) {
	if t.index, err = read(lookup, a.index); t.index == nil || err != nil {
		return told{}, err
	}
	if t.count, err = read(lookup, a.count); err != nil {
		return told{}, err
	}
	if a.least == "" {
		return t, nil
	}
	return a.fromLeast(t, lookup)
}

// fromLeast counts the tasks of an array from 0, in steps of 1: the array of Slurm
// --array=3-9:2 has the tasks 3, 5, 7 and 9. One with gaps, as --array=1,2,5, does not
// tell its tasks how many there are before them, and is refused by all of them.
func (a array) fromLeast(t told, lookup func(string) (string, bool)) (told, error) {
	var numbers [3]*number
	for k, name := range []string{a.least, a.most, a.step} {
		var err error
		if numbers[k], err = read(lookup, name); err != nil {
			return told{}, err
		}
	}
	least, most, step := numbers[0], numbers[1], numbers[2]
	if least == nil || most == nil || t.count == nil {
		return told{}, fmt.Errorf("%s sets %s, but not all of %s, %s and %s: give --index and --count", a.name, a.index,
			a.least, a.most, a.count)
	}
	by := 1
	if step != nil && step.value > 1 {
		by = step.value
	}
	past := t.index.value - least.value
	if past < 0 || past%by != 0 || t.index.value > most.value || least.value+(t.count.value-1)*by != most.value {
		return told{}, fmt.Errorf("the %d tasks of the %s array go from %d to %d with gaps, so that the place of "+
			"task %d is not known: submit the whole array, where what is done is skipped, or give --index and --count",
			t.count.value, a.name, least.value, most.value, t.index.value)
	}
	return told{index: &number{past / by, a.index}, count: t.count}, nil
}

// read is the whole number in a variable; nil where it is not set or empty, or name is "".
func read(lookup func(string) (string, bool), name string) (*number, error) {
	text, ok := lookup(name)
	if text = strings.TrimSpace(text); name == "" || !ok || text == "" {
		return nil, nil
	}
	value, err := strconv.ParseInt(text, 10, 32)
	if err != nil || value < 0 {
		return nil, fmt.Errorf("the variable %s is %q, and not a whole number", name, text)
	}
	return &number{int(value), name}, nil
}
