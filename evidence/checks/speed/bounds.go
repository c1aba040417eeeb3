package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"pairrank/evidence/papers/experiment"
	"pairrank/internal/linalg"
	"pairrank/internal/ostat"
	"pairrank/internal/parallel"
)

// work is what a command must do at least, however it is written: multiplications and additions of products and
// factorisations, in 10⁹; bytes read or written, in 10⁹, text and matrices that do not fit a cache; and numbers sorted,
// in 10⁶. A zero work is not known.
type work struct{ gflop, gigabytes, sorted float64 }

// speeds are what some threads of the machine do at best: 10⁹ operations of a product of m = 1000, 10⁹ bytes read and
// 10⁶ numbers sorted in a second.
type speeds struct{ gflops, gigabytes, sorts float64 }

// bound is the least time of the work, in seconds.
func (w work) bound(s speeds) float64 {
	return w.gflop/s.gflops + w.gigabytes/s.gigabytes + w.sorted/s.sorts
}

// measureSpeeds measures with a number of threads, and keeps what was better before: nothing runs faster than the
// machine.
func measureSpeeds(threads int, before speeds) speeds {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	const m = 1000
	a, b, c := linalg.NewMat(m, m), linalg.NewMat(m, m), linalg.NewMat(m, m)
	r := rand.New(rand.NewPCG(1, 7))
	for k := range a.Data {
		a.Data[k], b.Data[k] = r.NormFloat64(), r.NormFloat64()
	}
	product := fastest(func() { linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, a, b, 0, c) })
	const numbers = 1 << 22 // of each thread, 32 MB: more than its own caches hold
	parts := make([][]float64, threads)
	for k := range parts {
		parts[k] = slices.Repeat([]float64{1}, numbers)
	}
	reading := fastest(func() {
		parallel.ForWorkers(threads, threads, func(_, k int) { linalg.Dot(parts[k], parts[k]) })
	})
	const rows = 100_000
	sorters, order := make([]ostat.Argsorter, threads), make([][]int32, threads)
	for k := range order {
		order[k] = make([]int32, rows)
	}
	sorting := fastest(func() {
		parallel.ForWorkers(threads, threads, func(_, k int) { sorters[k].ArgsortTo(order[k], a.Data[:rows]) })
	})
	return speeds{max(before.gflops, 2*m*m*m/product/1e9),
		max(before.gigabytes, float64(threads)*numbers*8/reading/1e9),
		max(before.sorts, float64(threads*rows)/sorting/1e6)}
}

// fastest is the least time of some runs, in seconds.
func fastest(do func()) float64 {
	least := math.Inf(1)
	for range 5 {
		began := time.Now()
		do()
		least = min(least, time.Since(began).Seconds())
	}
	return least
}

// bounded is a row beside its bound: what it took with each number of threads.
type bounded struct {
	name string
	work work
	took []float64 // seconds of clock time, medians
}

// bound keeps what a row took in the tree that is measured last.
func (m *measurement) bound(row commandRow, samples map[variant][]sample) {
	if row.work == (work{}) {
		return
	}
	b := bounded{name: row.name, work: row.work}
	for _, threads := range m.counts {
		b.took = append(b.took, clock(samples[variant{m.trees[len(m.trees)-1], threads}]))
	}
	m.bounds = append(m.bounds, b)
}

// boundsTable has every row whose work is known, with the speeds of the machine; "" where there is none.
func (m *measurement) boundsTable() string {
	if len(m.bounds) == 0 {
		return ""
	}
	var text strings.Builder
	text.WriteString("\nWhat bounds the commands: operations of products, bytes, sorts; the seconds that they take at " +
		"least, and how many times as long the command takes.\n\n| command | Gflop | GB | 10⁶ sorted |")
	for k, threads := range m.counts {
		s := m.best[k]
		fmt.Fprintf(&text, " bound, %d: %.0f Gflop/s, %.1f GB/s, %.0f·10⁶/s | times |", threads, s.gflops, s.gigabytes,
			s.sorts)
	}
	text.WriteString("\n|" + strings.Repeat("---|", 4+2*len(m.counts)) + "\n")
	for _, row := range m.bounds {
		cells := []string{row.name}
		for _, amount := range []float64{row.work.gflop, row.work.gigabytes, row.work.sorted} {
			cell := ""
			if amount > 0 {
				cell = experiment.Digits(amount)
			}
			cells = append(cells, cell)
		}
		for k, took := range row.took {
			bound := row.work.bound(m.best[k])
			cells = append(cells, experiment.Digits(bound), fmt.Sprintf("%.1f", took/bound))
		}
		text.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return text.String()
}
