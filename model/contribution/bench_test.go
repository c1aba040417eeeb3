package contribution_test

import (
	"fmt"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/model/contribution"
)

func BenchmarkBetween(b *testing.B) {
	for _, size := range []struct{ n, support int }{{46, 0}, {700, 0}, {50, 200}, {50, 2000}} {
		m := &model.Model{Info: model.Info{Learner: "rankrls"}, Scorer: &model.Linear{Weights: random(1, size.n, 1)}}
		if size.support > 0 {
			m.Scorer = &model.Kernel{Kernel: kernel.Gaussian{Gamma: 0.01}, Support: random(size.support, size.n, 2),
				Coef: random(size.support, 1, 3)}
		}
		rows := random(2, size.n, 4)
		b.Run(fmt.Sprintf("features=%d/support=%d", size.n, size.support), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := contribution.Between(m, rows.Row(0), rows.Row(1))
				if err != nil || len(s.Top(10).Parts) != 10 {
					b.Fatal(err)
				}
			}
		})
	}
}

// The cost of a sparse row follows its stored values.
func BenchmarkRowsSparse(b *testing.B) {
	for _, n := range []int{1000, 1_000_000} {
		m := &model.Model{Info: model.Info{Learner: "rankrls"}, Scorer: &model.Linear{Weights: random(1, n, 1)}}
		x := &data.CSR{Rows: 2, Cols: n, Ptr: []int{0, 50, 100}}
		for k := range 100 {
			x.Col, x.Val = append(x.Col, int32(k%50*(n/50)+k/50)), append(x.Val, float64(k))
		}
		set := &data.Set{X: x}
		b.Run(fmt.Sprintf("features=%d/stored=50", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := contribution.Rows(m, set, 0, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
