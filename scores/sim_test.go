package scores

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"pairrank/data"
)

func TestSim(t *testing.T) {
	if os.Getenv("SIM") == "" {
		t.Skip()
	}
	draws, _ := strconv.Atoi(os.Getenv("SIM"))
	for _, kind := range []string{"normal", "cluster", "missing", "hard", "skewed", "binary"} {
		if k := os.Getenv("KIND"); k != "" && k != kind {
			continue
		}
		for _, s := range []int{5, 10, 30, 180} {
			for _, items := range []int{10, 41, 200} {
				for _, truth := range []string{"equal", "groups", "spread"} {
					n := draws
					if s == 180 {
						n = draws / 10
					}
					began := time.Now()
					single, cells, sets, size, refused := 0, 0, 0, 0.0, 0
					for k := range n {
						p, worth := simulate(rand.New(rand.NewPCG(uint64(k), uint64(s*1000+items))), kind, s, items, truth)
						r, err := Rank(t.Context(), p, Options{Seed: uint64(k)})
						if err != nil {
							refused++
							continue
						}
						ok := true
						for at := range r.Systems {
							x := r.Systems[at]
							w := worth[r.order[at]]
							cells++
							if x.Lo <= w && w <= x.Hi {
								single++
							}
							above, below := 1, s
							for _, v := range worth {
								if v > w {
									above++
								}
								if v < w {
									below--
								}
							}
							ok = ok && x.RankLo <= above && x.RankHi >= below // every rank that ties allow? at least one
							size += float64(x.RankHi-x.RankLo+1) / float64(s)
						}
						if ok {
							sets++
						}
					}
					m := float64(n - refused)
					fmt.Printf("%-8s %3d %3d %-7s interval %.3f sets %.3f size %.2f refused %d  %.1f ms\n", kind, s, items, truth,
						float64(single)/float64(cells), float64(sets)/m, size/m, refused, 1000*time.Since(began).Seconds()/float64(n))
				}
			}
		}
	}
}

func simulate(r *rand.Rand, kind string, s, items int, truth string) (*Problem, []float64) {
	worth := make([]float64, s)
	for k := range worth {
		switch truth {
		case "groups":
			worth[k] = float64(k%2) * .5
		case "spread":
			worth[k] = 2 * float64(k) / float64(s-1)
		}
	}
	p := &Problem{Unit: "item", Y: data.NewDense(items, s, nil), Systems: make([]string, s), Items: make([]string, items)}
	for k := range p.Systems {
		p.Systems[k] = fmt.Sprint(k)
	}
	shared := make([]float64, s)
	for i := range items {
		if i%5 == 0 {
			for k := range shared {
				shared[k] = r.NormFloat64()
			}
		}
		if kind == "cluster" {
			p.Units = append(p.Units, i/5)
		}
		hard := r.NormFloat64()
		row := p.Y.Row(i)
		for k := range row {
			e := r.NormFloat64()
			switch kind {
			case "cluster":
				e = .7*e + .7*shared[k]
			case "skewed":
				e = (math.Exp(e) - math.Exp(.5)) / 2.16
			}
			row[k] = hard + worth[k] + e
			if kind == "missing" && r.Float64() < .2 || kind == "hard" && r.Float64() < .2+.3*math.Tanh(-hard)*float64(k%3-1) {
				row[k] = math.NaN()
			}
		}
	}
	if kind == "binary" {
		truth := make([]float64, s)
		for k := range s { // expectation over items: by quadrature
			const n = 400
			for q := range n {
				h := -5 + 10*(float64(q)+.5)/n
				truth[k] += math.Exp(-h*h/2) / math.Sqrt(2*math.Pi) * 10 / n * .5 * math.Erfc(-(h+worth[k]-.5)/math.Sqrt2)
			}
		}
		worth = truth
		for i := range p.Y.Data {
			if p.Y.Data[i] > .5 {
				p.Y.Data[i] = 1
			} else {
				p.Y.Data[i] = 0
			}
		}
	}
	mean := 0.0
	for _, w := range worth {
		mean += w / float64(s)
	}
	for k := range worth {
		worth[k] -= mean
	}
	return p, worth
}
