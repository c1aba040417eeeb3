package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/format/table"
)

// unrated is what the files have where a user has not rated a joke.
const unrated = 99

// ratings are those of all users: row u has the number of jokes that user u has rated,
// and then a rating for each joke.
type ratings struct{ rows [][]float64 }

// readRatings reads the three files.
func readRatings(dir string) (*ratings, error) {
	all := &ratings{}
	for k := 1; k <= 3; k++ {
		path := filepath.Join(dir, "jester", fmt.Sprintf("jester-data-%d.txt.gz", k))
		m, err := table.ReadMatrix(path,
			table.MatrixOptions{Separator: ' ', Header: table.HeaderNo, Names: table.HeaderNo})
		if err != nil {
			return nil, err
		}
		for u := range m.X.Rows {
			all.rows = append(all.rows, m.X.Row(u))
		}
	}
	return all, nil
}

// count is how many jokes a user has rated.
func (r *ratings) count(u int) int { return int(r.rows[u][0]) }

// of are the jokes that a user has rated, and the ratings.
func (r *ratings) of(u int) (jokes []int, values []float64) {
	for j, v := range r.rows[u][1:] {
		if v != unrated {
			jokes, values = append(jokes, j), append(values, v)
		}
	}
	return jokes, values
}

// band are the users from whom others are drawn: those with at least least ratings and
// fewer than most.
type band struct {
	name        string
	least, most int
}

// among are the users of a band, in the order of the files.
func (r *ratings) among(b band) (users []int) {
	for u := range r.rows {
		if n := r.count(u); n >= b.least && n < b.most {
			users = append(users, u)
		}
	}
	return users
}

// active is a user whose preferences are learnt: half of the jokes rated and what they
// got, and the other half. Jokes ascend.
type active struct {
	user        int
	train, test []int
	y, held     []float64
}

// draw draws n active users of a band, none of them taken before, and halves their
// jokes. A user is passed over who has no two different ratings in both halves: nothing
// can be learnt, or measured.
func (r *ratings) draw(random *rand.Rand, b band, n int, taken map[int]bool) (users []active) {
	from := r.among(b)
	for _, k := range random.Perm(len(from)) {
		if len(users) == n {
			break
		}
		u := from[k]
		if taken[u] {
			continue
		}
		if a := r.halve(random, u); varied(a.y) && varied(a.held) {
			taken[u] = true
			users = append(users, a)
		}
	}
	return users
}

// halve draws half of a user's jokes for training; an odd one is tested.
func (r *ratings) halve(random *rand.Rand, u int) active {
	jokes, values := r.of(u)
	a := active{user: u}
	for k, place := range random.Perm(len(jokes)) {
		if place < len(jokes)/2 {
			a.train, a.y = append(a.train, jokes[k]), append(a.y, values[k])
		} else {
			a.test, a.held = append(a.test, jokes[k]), append(a.held, values[k])
		}
	}
	return a
}

func varied(y []float64) bool {
	return len(y) > 1 && slices.Min(y) < slices.Max(y)
}

// features are those of the jokes, a row each: the ratings of n reference users of a
// band, drawn from those who are not taken, and a user's median where it has none.
func (r *ratings) features(random *rand.Rand, b band, n int, taken map[int]bool) *data.Dense {
	from := slices.DeleteFunc(r.among(b), func(u int) bool { return taken[u] || r.count(u) == 0 })
	random.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
	from = from[:min(n, len(from))]
	x := data.NewDense(len(r.rows[0])-1, len(from), nil)
	for k, u := range from {
		_, values := r.of(u)
		median := experiment.Median(values)
		for j, v := range r.rows[u][1:] {
			if v == unrated {
				v = median
			}
			x.Row(j)[k] = v
		}
	}
	return x
}
