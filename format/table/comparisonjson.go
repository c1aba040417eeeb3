package table

import (
	"slices"

	"pairrank/internal/jsonrows"
)

// comparisonObjects are comparisons as JSON lines: {"model_a": "x", "model_b": "y", "winner": "model_a"}. The members
// of the first object are the columns, in its order. Later objects may lack some, which are then missing, and have
// others, unless these may be columns of comparisons.
type comparisonObjects struct {
	*lines
	asked  []string // columns by name
	at     map[string]int
	fields []field
	seen   []int // the line that had a column last
	names  []string
	begun  bool
}

func (j *comparisonObjects) head() ([]field, error) {
	if j.foreign != nil {
		return nil, &SyntaxError{File: j.name, Msg: j.foreign.Error(), Err: j.foreign}
	}
	line, err := j.object()
	if err != nil {
		return nil, err
	}
	var first []field
	for key, value := range jsonrows.Members(line) {
		name := jsonrows.Text(key)
		if _, twice := j.at[name]; twice {
			return nil, j.faultAt(line, key, "the member stands twice")
		}
		j.at[name] = len(first)
		first = append(first, field{text: name, col: place(line, key)})
		j.fields = append(j.fields, field{text: memberText(value), col: place(line, value)})
		j.names, j.seen = append(j.names, name), append(j.seen, j.line)
	}
	return first, nil
}

func (j *comparisonObjects) next() ([]field, error) {
	if !j.begun {
		j.begun = true
		return j.fields, nil
	}
	line, err := j.object()
	if err != nil {
		return nil, err
	}
	next := 0 // usual: the members of the first object, in their order
	for key, value := range jsonrows.Members(line) {
		k := next
		if inner := key[1 : len(key)-1]; k >= len(j.names) || string(inner) != j.names[k] || !simple(inner) {
			name := jsonrows.Text(key)
			at, known := j.at[name]
			if !known {
				if j.matters(name) {
					return nil, j.faultAt(line, key, "the first object has no such member")
				}
				continue
			}
			k = at
		}
		next = k + 1
		if j.seen[k] == j.line {
			return nil, j.faultAt(line, key, "the member stands twice")
		}
		j.seen[k], j.fields[k] = j.line, field{text: memberText(value), col: place(line, value)}
	}
	for k, at := range j.seen {
		if at != j.line {
			j.fields[k] = field{col: 1}
		}
	}
	return j.fields, nil
}

// matters reports whether a member may be a column of comparisons.
func (j *comparisonObjects) matters(name string) bool {
	for _, known := range comparedNames {
		if slices.Contains(known.names, plain(name)) || slices.Contains(known.also, plain(name)) {
			return true
		}
	}
	return slices.Contains(j.asked, name)
}

// memberText is the text of a member, "" for null.
func memberText(value []byte) string {
	if value[0] == 'n' {
		return ""
	}
	return scalar(value)
}
