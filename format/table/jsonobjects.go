package table

import (
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/jsonrows"
)

// objectRows are objects of JSON as rows: {"model_a": "x", "model_b": "y", "winner": "model_a"}. The members of the
// first object are the columns, in its order; those of a member features are columns, too, and the elements of a list
// of features the columns f1, f2, …. Later objects may lack some, which are then missing.
type objectRows struct {
	*lines
	// ignores reports whether a member that the first object lacks does not matter; nil where each does.
	ignores func(name string) bool
	// paths are columns that may be in members, or for all objects in the document around them: asked of them are
	// columns where the first object has the first member alone, too.
	paths   []string
	asked   int
	inside  []nested
	whole   []int  // columns whose value is in the document
	holds   []bool // whether the first object has an object or a list in a column
	at      map[string]int
	header  []field
	fields  []field
	seen    []int // the object that had a column last, from 1
	names   []string
	objects int
	listed  [][]byte // the names of the elements of features, as keys
}

// nested is a column that is found by its path.
type nested struct {
	k    int
	path string
}

// fault is by line and column.
func (j *objectRows) fault(string, field, string) error { return nil }

func (j *objectRows) next() ([]field, error) {
	if j.objects == 1 && j.header != nil { // the header was the last
		j.header = nil
		return j.fields, nil
	}
	if j.foreign != nil {
		return nil, &data.SyntaxError{File: j.name, Msg: j.foreign.Error(), Err: j.foreign}
	}
	object, err := j.object()
	if err != nil {
		return nil, err
	}
	if j.objects++; j.objects == 1 {
		err = j.begin(object)
		return j.header, err
	}
	next := 0 // usual: the members of the first object, in their order
	err = j.eachMember(object, func(key, value []byte) error {
		k, err := j.column(object, key, next)
		if err != nil || k < 0 {
			return err
		}
		next = k + 1
		if j.seen[k] == j.objects {
			return j.faultAt(object, key, "the member stands twice")
		}
		j.seen[k], j.fields[k] = j.objects, field{text: memberText(value), col: place(object, value)}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, n := range j.inside {
		if value := valueAt(object, n.path); value != nil {
			j.seen[n.k], j.fields[n.k] = j.objects, field{text: memberText(value), col: place(object, value)}
		}
	}
	for _, k := range j.whole {
		j.seen[k] = j.objects
	}
	for k, at := range j.seen {
		if at != j.objects {
			j.fields[k] = field{col: 1}
		}
	}
	return j.fields, nil
}

// column is the column of a member, where next is a guess; −1 for one that does not matter.
func (j *objectRows) column(object, key []byte, next int) (int, error) {
	inner := key[1 : len(key)-1]
	if next < len(j.names) && string(inner) == j.names[next] && simple(inner) {
		return next, nil
	}
	k, known := lookup(j.at, key)
	if known {
		return k, nil
	}
	if name := jsonrows.Text(key); j.ignores != nil && j.ignores(name) {
		if len(j.at) < mostIgnored {
			j.at[name] = -1
		}
		return -1, nil
	}
	return -1, j.faultAt(object, key, "the first object has no such member")
}

// mostIgnored bounds the names of columns that are remembered as those that do not matter.
const mostIgnored = 1 << 16

// lookup is the value of the name that a key is.
func lookup[V any](at map[string]V, key []byte) (v V, is bool) {
	if inner := key[1 : len(key)-1]; simple(inner) {
		v, is = at[string(inner)]
		return v, is
	}
	v, is = at[jsonrows.Text(key)]
	return v, is
}

// begin takes the first object, whose members are the columns.
func (j *objectRows) begin(object []byte) error {
	j.header = []field{}
	add := func(name string, key, value []byte) {
		j.at[name] = len(j.names)
		j.header = append(j.header, field{text: name, col: place(object, key)})
		j.fields = append(j.fields, field{text: memberText(value), col: place(object, value)})
		j.names, j.seen = append(j.names, name), append(j.seen, j.objects)
		j.holds = append(j.holds, jsonrows.IsObject(value) || jsonrows.IsList(value))
	}
	err := j.eachMember(object, func(key, value []byte) error {
		name := jsonrows.Text(key)
		if _, twice := j.at[name]; twice {
			return j.faultAt(object, key, "the member stands twice")
		}
		add(name, key, value)
		return nil
	})
	for k, path := range j.paths {
		if _, is := j.at[path]; is || err != nil {
			continue
		}
		first, _, _ := strings.Cut(path, ".")
		value := valueAt(object, path)
		switch {
		case value != nil, k < j.asked && valueAt(object, first) != nil:
			j.inside = append(j.inside, nested{len(j.names), path})
			add(path, value, value)
		case j.list.whole != nil:
			if value = valueAt(j.list.whole, path); value != nil {
				add(path, value, value)
				j.whole = append(j.whole, len(j.names)-1)
			}
		}
	}
	return err
}

// eachMember calls take with the members of an object, and with those of its features in their place.
func (j *objectRows) eachMember(object []byte, take func(key, value []byte) error) error {
	for key, value := range jsonrows.Members(object) {
		var err error
		switch {
		case string(key) == featuresKey && jsonrows.IsObject(value):
			err = j.eachMember(value, take)
		case string(key) == featuresKey && jsonrows.IsList(value):
			for k, element := range jsonrows.Elements(value) {
				if k == len(j.listed) {
					j.listed = append(j.listed, []byte(`"f`+strconv.Itoa(k+1)+`"`))
				}
				if err = take(j.listed[k], element); err != nil {
					break
				}
			}
		default:
			err = take(key, value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// memberText is the text of a member, "" for null and none.
func memberText(value []byte) string {
	if len(value) == 0 || value[0] == 'n' {
		return ""
	}
	return scalar(value)
}

// wants lets objects have members that the first one lacks, unless they are asked for or may be columns of these roles;
// and finds columns within members by the paths among them. Without roles each member of the first object matters.
func (l *lines) wants(asked []string, roles []columnNames) {
	j, is := l.from.(*objectRows)
	if !is {
		return
	}
	points := func(names []string) (paths []string) {
		for _, name := range names {
			if strings.Contains(name, ".") {
				paths = append(paths, name)
			}
		}
		return paths
	}
	j.paths = points(asked)
	j.asked = len(j.paths)
	for _, r := range roles {
		j.paths = append(j.paths, points(r.also)...)
	}
	if roles == nil {
		return
	}
	j.ignores = func(name string) bool {
		return !slices.Contains(asked, name) && !slices.ContainsFunc(roles, func(r columnNames) bool { return r.knows(name) })
	}
}
