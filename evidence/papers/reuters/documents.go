package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/format/svmlight"
)

// collection is the documents of the ModApte split, training and test together, each
// with the words that it has and its topics.
type collection struct {
	x      *data.CSR
	idf    []float64 // log of all documents over those that have a word
	topics [][]string
}

// load reads the documents of the split: those whose comment says modapte=TRAIN or
// TEST.
func load(ctx context.Context, dir string) (*collection, error) {
	path := filepath.Join(dir, "reuters21578", "reuters21578_tfidf.svm.gz")
	set, err := svmlight.ReadFile(ctx, path, svmlight.Options{Storage: svmlight.StoreCSR, KeepComments: true})
	if err != nil {
		return nil, err
	}
	var rows []int
	c := &collection{}
	for i, comment := range set.Comments {
		split, topics := described(comment)
		if split != "TRAIN" && split != "TEST" {
			continue
		}
		rows, c.topics = append(rows, i), append(c.topics, topics)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no document says that it is of the ModApte split", path)
	}
	c.idf = inverse(set.X.(*data.CSR))
	c.x = data.Select(set.X, rows).(*data.CSR)
	return c, nil
}

// described reads the fields of a comment, as "newid=1 modapte=TRAIN topics=corn,wheat".
func described(comment string) (split string, topics []string) {
	for _, field := range strings.Fields(comment) {
		switch name, value, _ := strings.Cut(field, "="); {
		case name == "modapte":
			split = value
		case name == "topics" && value != "":
			topics = strings.Split(value, ",")
		}
	}
	return split, topics
}

// labels are 1 where a document has a topic, else 0, for each of some topics:
// m×v row-major.
func (c *collection) labels(topics []string) []float64 {
	y := make([]float64, len(c.topics)*len(topics))
	for i, of := range c.topics {
		for k, topic := range topics {
			if slices.Contains(of, topic) {
				y[i*len(topics)+k] = 1
			}
		}
	}
	return y
}

// numerous are the topics that most documents have, in alphabetical order.
func (c *collection) numerous(most int) []string {
	count := map[string]int{}
	for _, of := range c.topics {
		for _, topic := range of {
			count[topic]++
		}
	}
	var names []string
	for topic := range count {
		names = append(names, topic)
	}
	slices.SortFunc(names, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	names = names[:min(most, len(names))]
	slices.Sort(names)
	return names
}

// draw deals the rows of a collection into those of training, size of them, and the
// others, both ascending: at random, again until every one of v columns of labels, m×v,
// has at least so many positive rows among the first. refused is how many draws had
// fewer.
func draw(y []float64, v, size, positive int, seed uint64) (train, rest []int, refused int) {
	r := rand.New(rand.NewPCG(seed, 0x72657574657273))
	for {
		rows := r.Perm(len(y) / v)
		train, rest = rows[:size], rows[size:]
		if enough(y, v, train, positive) {
			slices.Sort(train)
			slices.Sort(rest)
			return train, rest, refused
		}
		refused++
	}
}

// enough says whether every column has so many positive rows.
func enough(y []float64, v int, rows []int, positive int) bool {
	for k := range v {
		n := 0
		for _, i := range rows {
			n += int(y[i*v+k])
		}
		if n < positive {
			return false
		}
	}
	return true
}

// some are the labels of some rows, len(rows)×v.
func some(y []float64, v int, rows []int) []float64 {
	out := make([]float64, 0, len(rows)*v)
	for _, i := range rows {
		out = append(out, y[i*v:(i+1)*v]...)
	}
	return out
}
