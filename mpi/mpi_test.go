package mpi_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/learn/ranksvm"
	"pairrank/mpi"
	"pairrank/mpi/internal/launch"
	"pairrank/pref"
)

const asProcess = "PAIRRANK_MPI_PROCESS"

// TestMain is also the program of a process.
func TestMain(m *testing.M) {
	if os.Getenv(asProcess) == "" {
		os.Exit(m.Run())
	}
	world, err := mpi.Init()
	if err == nil {
		err = process(world)
	}
	if err == nil {
		err = world.Close()
	}
	if err != nil {
		fmt.Println("error:", err)
		_ = world.Abort(1)
		os.Exit(1)
	}
}

// process adds vectors, trains on its queries of a common problem, and compares both with its own
// computation.
func process(world *mpi.World) error {
	for _, n := range []int{0, 1, 7, 5000} {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64((world.Rank() + 1) * i)
		}
		if err := world.Sum(v); err != nil {
			return err
		}
		for i, got := range v {
			if want := float64(world.Size() * (world.Size() + 1) / 2 * i); got != want {
				return fmt.Errorf("process %d: number %d is %v, want %v", world.Rank(), i, got, want)
			}
		}
	}
	for _, loss := range ranksvm.Losses {
		if err := compare(world, loss); err != nil {
			return err
		}
	}
	return nil
}

// compare trains over the processes and alone.
func compare(world *mpi.World, loss ranksvm.Loss) error {
	const m, n, queries, lambda = 400, 8, 20, 1e-3
	r := rand.New(rand.NewPCG(1, 2))
	x, y, of := data.NewDense(m, n, nil), make([]float64, m), make([]int32, m)
	for i := range y {
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
		}
		y[i], of[i] = math.Round(x.Row(i)[0]-x.Row(i)[1]+r.NormFloat64()), int32(r.IntN(queries))
	}
	whole := &data.Set{X: x, Y: y, Queries: pref.NewPartition(of, queries), HasQID: true}
	var mine []int
	for i, q := range of {
		if int(q)%world.Size() == world.Rank() {
			mine = append(mine, i)
		}
	}
	o := ranksvm.Options{Loss: loss, Epsilon: 1e-12}
	want, err := train(whole, lambda, o)
	if err != nil {
		return err
	}
	o.Processes = world
	got, err := train(whole.Subset(mine), lambda, o)
	if err != nil {
		return err
	}
	if off := math.Abs(got.Objective-want.Objective) / want.Objective; off > 1e-10 || got.Pairs != want.Pairs {
		return fmt.Errorf("%s, process %d: J = %v over %v pairs, want %v over %v", loss, world.Rank(), got.Objective,
			got.Pairs, want.Objective, want.Pairs)
	}
	other := slices.Clone(got.Weights) // from process 0, to compare the bits
	if world.Rank() > 0 {
		clear(other)
	}
	if err := world.Sum(other); err != nil {
		return err
	}
	if !slices.Equal(other, got.Weights) {
		return fmt.Errorf("%s: processes 0 and %d have other weights", loss, world.Rank())
	}
	return nil
}

func train(set *data.Set, lambda float64, o ranksvm.Options) (*ranksvm.Fit, error) {
	s, err := ranksvm.New(set.X, set.Y, set.Queries, o)
	if err != nil {
		return nil, err
	}
	return s.Train(context.Background(), lambda)
}

// On 1 to 4 processes sums are sums, and the optimum of both losses is that of one process to
// 1e-10, with the same weights on each to the last bit.
func TestWorld(t *testing.T) {
	for size := 1; size <= 4; size++ {
		out := launch.Run(t, launch.Command(t, size, asProcess))
		if strings.Contains(out, "error") {
			t.Errorf("%d processes: %s", size, out)
		}
	}
}
