package comparison

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// league is a board of n items, each compared with all others or with some, of counts of outcomes.
func league(n, opponents int) *Problem {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	p := &Problem{}
	s := make([]float64, n)
	for i := range n {
		p.Items, s[i] = append(p.Items, fmt.Sprint(i)), r.NormFloat64()
	}
	for i := range n {
		for k := range opponents {
			j := (i + k + 1) % n
			l := Line{Left: i, Right: j, Annotator: -1, Stratum: -1}
			for range int(math.Exp(2*r.NormFloat64())) + 2 {
				switch f := s[i] - s[j] + r.NormFloat64(); {
				case math.Abs(f) < 0.2:
					l.Ties++
				case f > 0:
					l.Wins++
				default:
					l.Losses++
				}
			}
			p.Lines = append(p.Lines, l)
		}
	}
	return p
}

// sizes are boards of items and lines; the second is that of the arena.
var sizes = [][2]int{{20, 9}, {129, 27}, {500, 40}}

func eachSize(b *testing.B, body func(b *testing.B, p *Problem, board *Board)) {
	for _, size := range sizes {
		p := league(size[0], size[1])
		board, err := Fit(context.Background(), p, Options{Loss: Logistic})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("items=%d/lines=%d", size[0], len(p.Lines)), func(b *testing.B) {
			b.ReportAllocs()
			body(b, p, board)
		})
	}
}

func BenchmarkFit(b *testing.B) {
	eachSize(b, func(b *testing.B, p *Problem, _ *Board) {
		for b.Loop() {
			if _, err := Fit(context.Background(), p, Options{Loss: Logistic}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSandwich(b *testing.B) {
	eachSize(b, func(b *testing.B, _ *Problem, board *Board) {
		for b.Loop() {
			board.Sandwich()
		}
	})
}

func BenchmarkPredict(b *testing.B) {
	for _, kind := range []string{"comparison", "pair"} {
		b.Run(kind, func(b *testing.B) {
			eachSize(b, func(b *testing.B, _ *Problem, board *Board) {
				for b.Loop() {
					if _, err := board.Predict(b.Context(), Unit{Kind: kind}, 1); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

func BenchmarkRanks(b *testing.B) {
	eachSize(b, func(b *testing.B, _ *Problem, board *Board) {
		v := board.Sandwich()
		for b.Loop() {
			board.RanksOf(v, 1)
		}
	})
}

func BenchmarkBootstrap(b *testing.B) {
	eachSize(b, func(b *testing.B, p *Problem, board *Board) {
		for b.Loop() {
			if v, err := board.Bootstrap(context.Background(), 100, 1, nil); err != nil || v.Replicates != 100 {
				b.Fatal(v, err)
			}
		}
	})
}
