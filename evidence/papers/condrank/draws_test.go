package main

import "testing"

// oneMove is a contest of players who always make the same move: rock, paper and scissors
// in turn.
func oneMove(t *testing.T) *contest {
	r, err := newContest(100, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.train.Rows {
		clear(r.train.Row(i))
		r.train.Row(i)[i%3] = 1
	}
	for i := range r.test.Rows {
		clear(r.test.Row(i))
		r.test.Row(i)[i%3] = 1
	}
	return r
}

// TestReplay has the winner of every game that has one, and what becomes of draws.
func TestReplay(t *testing.T) {
	for _, of := range []reading{coin, nothing} {
		r := oneMove(t)
		r.replay(of, 1)
		for e, y := range r.y {
			i, j := r.edges.Row[e]%3, r.edges.Col[e]%3
			switch {
			case i != j && y != []float64{0, 1, -1}[(i-j+3)%3]:
				t.Errorf("%s: %d against %d: %g", of, i, j, y)
			case i == j && (y == 0) != (of == nothing):
				t.Errorf("%s: a draw is %g", of, y)
			}
		}
	}
}

// TestReplayAgain has the truth of games that go on until somebody wins.
func TestReplayAgain(t *testing.T) {
	r := oneMove(t)
	x := []float64{0.5, 0.25, 0.25} // against rock: wins a quarter, loses a quarter
	copy(r.test.Row(0), x)
	r.replay(again, 1)
	if got := r.wins.Row(1)[0]; got != 0.5/(0.5+0.25) { // paper beats rock, and loses to scissors
		t.Errorf("paper wins with probability %g", got)
	}
	if r.wins.Row(1)[3] != 1 || r.wins.Row(3)[1] != 0 {
		t.Errorf("paper beats rock with probability %g", r.wins.Row(1)[3])
	}
}
