package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// writeParts writes files part-00.txt, … of four queries each, with five features of
// different size and labels from 0 to 3, and returns their names.
func writeParts(t *testing.T, files int) (names []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 9))
	for k := range files {
		var text strings.Builder
		for q := range 4 {
			for range 3 + random.IntN(8) {
				x := [5]float64{}
				score := random.NormFloat64()
				for j := range x {
					x[j] = random.NormFloat64() * math.Pow(10, float64(j-2))
					score += x[j] / math.Pow(10, float64(j-2)) * float64(j-2)
				}
				fmt.Fprintf(&text, "%g qid:%d 1:%g 2:%g 3:%g 4:%g 5:%g\n", max(0, min(3, math.Round(1.5+score/2))),
					4*k+q+1, x[0], x[1], x[2], x[3], x[4])
			}
		}
		names = append(names, fmt.Sprintf("part-%02d.txt", k))
		if err := os.WriteFile(names[k], []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// runAll runs the program, and returns its exit code and what it says.
func runAll(t *testing.T, args ...string) (code int, stderr string) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0)) // for --threads
	var stdout, errors bytes.Buffer
	err := run(context.WithoutCancel(t.Context()), args, strings.NewReader(""), &stdout, &errors)
	return cli.ExitCode(err), errors.String()
}

func mustRun(t *testing.T, args ...string) {
	t.Helper()
	if code, stderr := runAll(t, args...); code != cli.ExitOK {
		t.Fatalf("%v ends with %d: %s", args, code, stderr)
	}
}

func contentOf(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The bytes of the model do not depend on the number of workers nor on the order in which
// they work, and are those of stream train, on any number of cores.
func TestMergeOfAnyWorkers(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 10)
	mustRun(t, append([]string{"stream", "train", "-o", "want.model", "--keep-moments", "--normalize", "query-minmax",
		"--threads", "1"}, names...)...)
	random := rand.New(rand.NewPCG(1, 4))
	for _, count := range []int{1, 3, 7} {
		dir := fmt.Sprintf("units-%d", count)
		for _, index := range random.Perm(count) {
			mustRun(t, append([]string{"stream", "stats", "-o", dir, "--normalize", "query-minmax", "--count",
				strconv.Itoa(count), "--index", strconv.Itoa(index)}, names...)...)
		}
		mustRun(t, "stream", "merge", dir, "-o", "got.model", "--keep-moments")
		for _, suffix := range []string{"", ".moments"} {
			if !bytes.Equal(contentOf(t, "got.model"+suffix), contentOf(t, "want.model"+suffix)) {
				t.Errorf("%d workers: got.model%s is not that of stream train on one core", count, suffix)
			}
		}
	}
}

// A unit that is cut off, or of which a bit flips, anywhere, is refused by name.
func TestDamagedUnits(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 3)
	mustRun(t, append([]string{"stream", "stats", "-o", "units"}, names...)...)
	found, err := filepath.Glob("units/*.stats")
	if err != nil || len(found) != 3 {
		t.Fatal(found, err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	refused := func(path, what string) {
		t.Helper()
		code, stderr := runAll(t, "stream", "merge", "units", "-o", "m.model")
		if code != cli.ExitData || !strings.Contains(stderr, path) ||
			!strings.Contains(stderr, "hint: delete "+path+", and run stats again") {
			t.Errorf("%s: exit code %d, %s", what, code, stderr)
		}
	}
	damage := func(path, what string, b []byte) {
		t.Helper()
		whole := contentOf(t, path)
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		refused(path, what)
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for k := range 40 {
		path := found[k%len(found)]
		whole := contentOf(t, path)
		at := random.IntN(len(whole))
		damage(path, fmt.Sprintf("cut to %d bytes of %d", at, len(whole)), whole[:at])
		flipped, bit := slices.Clone(whole), random.IntN(8)
		flipped[at] ^= 1 << bit
		damage(path, fmt.Sprintf("bit %d of byte %d of %d", bit, at, len(whole)), flipped)
	}
	damage(found[0], "the unit of another file", contentOf(t, found[1]))
	damage(found[0], "with more at its end", append(slices.Clone(contentOf(t, found[0])), 0))

	mustRun(t, append([]string{"stream", "stats", "-o", "others", "--cost", "unit"}, names...)...)
	others, err := filepath.Glob("others/*.stats")
	if err != nil {
		t.Fatal(err)
	}
	damage(found[0], "of other options", contentOf(t, others[0]))
	if _, err := os.Stat("m.model"); !os.IsNotExist(err) {
		t.Errorf("a model was written: %v", err)
	}
	mustRun(t, "stream", "merge", "units", "-o", "m.model")

	if err := os.Truncate(found[1], 9); err != nil { // what is cut off is not done
		t.Fatal(err)
	}
	mustRun(t, append([]string{"stream", "stats", "-o", "units"}, names...)...)
	mustRun(t, "stream", "merge", "units", "-o", "m.model")
}

// distance is the largest difference of weights, relative to the largest one.
func distance(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := weightsOf(t, string(contentOf(t, a))), weightsOf(t, string(contentOf(t, b)))
	if len(x) != len(y) {
		t.Fatalf("%s has %d features, %s %d", a, len(x), b, len(y))
	}
	apart, largest := 0.0, 0.0
	for j := range x {
		apart, largest = max(apart, math.Abs(x[j]-y[j])), max(largest, math.Abs(y[j]))
	}
	return apart / largest
}

// nearWeights is how far weights may be apart of models whose sums were added in another
// order: sums are double words, so that rounding shows only after they became doubles.
const nearWeights = 1e-10

// Files that are added one after another, in any order, make the model of all at once, and
// what is added and forgotten leaves the model as it was.
func TestUpdateIsExact(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 10)
	mustRun(t, append([]string{"stream", "stats", "-o", "all"}, names...)...)
	mustRun(t, "stream", "stats", "-o", "one", names[4])
	others := slices.Concat(names[:4], names[5:])
	slices.Reverse(others)
	for _, choice := range [][]string{nil, {"--lambda", "0.25"}} {
		mustRun(t, append([]string{"stream", "merge", "all", "-o", "all.model"}, choice...)...)
		mustRun(t, append([]string{"stream", "merge", "one", "-o", "m.model", "--keep-moments"}, choice...)...)
		forgotten := 0.0
		for _, name := range others {
			before := contentOf(t, "m.model")
			mustRun(t, "stream", "update", "m.model", name, "-o", "m.model")
			mustRun(t, "stream", "update", "m.model", name, "--forget", "-o", "again.model")
			forgotten = max(forgotten, distanceTo(t, "again.model", before))
		}
		added := distance(t, "m.model", "all.model")
		t.Logf("%v: weights in 10 portions differ by %.2g, those after adding and forgetting by %.2g at most", choice,
			added, forgotten)
		if added > nearWeights || forgotten > nearWeights {
			t.Errorf("%v: weights in 10 portions differ by %g, those after adding and forgetting by %g", choice, added,
				forgotten)
		}
	}
}

// distanceTo is distance to a model that was read before.
func distanceTo(t *testing.T, path string, content []byte) float64 {
	t.Helper()
	if err := os.WriteFile("before.model", content, 0o666); err != nil {
		t.Fatal(err)
	}
	return distance(t, path, "before.model")
}

// Ctrl-C ends a worker with its exit code. What it did stays done, and nothing half-done is
// left.
func TestInterruptedWorker(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 40)
	ctx, interrupt := context.WithCancel(t.Context())
	stderr := &trigger{words: `"progress"`, interrupt: interrupt}
	err := run(ctx, append([]string{"stream", "stats", "-o", "units", "--progress", "json"}, names...),
		strings.NewReader(""), &bytes.Buffer{}, stderr)
	if code := cli.ExitCode(err); code != cli.ExitInterrupted {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	found, err := filepath.Glob("units/.*")
	if err != nil || len(found) > 0 {
		t.Errorf("left behind: %v, %v", found, err)
	}
	if code, stderr := runAll(t, "stream", "merge", "units", "-o", "m.model"); code != cli.ExitIncomplete {
		t.Errorf("%d: %s", code, stderr)
	}
	mustRun(t, append([]string{"stream", "stats", "-o", "units"}, names...)...)
	mustRun(t, "stream", "merge", "units", "-o", "m.model")
}
