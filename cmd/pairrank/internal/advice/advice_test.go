package advice

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/option"
	"pairrank/kernel"
)

// TestEveryOptionHasAFlag holds each field that an error of the library names against
// the table of options: an error about a field that the table does not have could not name its flag.
func TestEveryOptionHasAFlag(t *testing.T) {
	names := regexp.MustCompile(`(?:Optionf\(|Option: )"([^"]+)"`)
	read := 0
	for _, pattern := range []string{"../../../../*.go", "../../../../internal/rows/*.go", "../../../../relation/*.go",
		"../../../../stream/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range names.FindAllSubmatch(text, -1) {
				read++
				if option.FlagOf(string(found[1])) == "" {
					t.Errorf("%s: an error about %s has no flag in the table of options", filepath.Base(file), found[1])
				}
			}
		}
	}
	if read < 20 {
		t.Fatalf("%d errors about fields were found: is the pattern still that of the code?", read)
	}
}

// TestTaskOfTraining: the task that holds something out says what is chosen, and the way out is one of this run.
func TestTaskOfTraining(t *testing.T) {
	gaussian := func(gammas ...float64) (kernels []kernel.Kernel) {
		for _, gamma := range gammas {
			kernels = append(kernels, kernel.Gaussian{Gamma: gamma})
		}
		return kernels
	}
	const basis = ", and --basis N approximates the kernel in less time"
	var x [][]float64
	var y []float64
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		x, y = append(x, []float64{r.NormFloat64(), r.NormFloat64()}), append(y, float64(i%3))
	}
	set, err := pairrank.Rows(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		options   pairrank.Options
		task, way string
	}{
		{pairrank.Options{Lambdas: []float64{1}}, "", ""},
		{pairrank.Options{}, "choosing λ", "--lambda F chooses nothing"},
		{pairrank.Options{Kernels: gaussian(1)}, "choosing λ on a kernel matrix", "--lambda F chooses nothing" + basis},
		{pairrank.Options{Kernels: gaussian(1), Learner: pairrank.LeastSquares{Basis: pairrank.Basis{Size: 5}}},
			"choosing λ", "--lambda F chooses nothing"},
		{pairrank.Options{Kernels: []kernel.Kernel{kernel.Fourier{Gamma: 1, Features: 4}}}, "choosing λ",
			"--lambda F chooses nothing"},
		{pairrank.Options{Kernels: gaussian(1, 2), Lambdas: []float64{1}}, "choosing the kernel on a kernel matrix",
			"a --kernel without a grid chooses nothing" + basis},
		{pairrank.Options{Kernels: gaussian(1, 2)}, "choosing kernel and λ on a kernel matrix",
			"--lambda F and a --kernel without a grid choose nothing" + basis},
		{pairrank.Options{Lambdas: []float64{1}, Method: &cv.Method{Kind: cv.LeaveOneOut}}, "holding out",
			"without --select or --valid nothing is held out"},
		{pairrank.Options{Learner: pairrank.RankBoost{Rounds: []int{1, 2}}}, "choosing the number of rounds",
			"one number of --rounds chooses nothing"},
		{pairrank.Options{Learner: pairrank.Greedy{}}, "choosing features and λ",
			"--features K and --lambda F choose nothing"},
	} {
		task := ""
		var mu sync.Mutex // progress comes from several goroutines
		c.options.Monitor.Progress = func(p event.Progress) {
			mu.Lock()
			defer mu.Unlock()
			if strings.HasPrefix(p.Task, "choosing") || strings.HasPrefix(p.Task, "holding") {
				task = p.Task
			}
		}
		if _, err := pairrank.Train(t.Context(), pairrank.Problem{Set: set}, c.options); err != nil {
			t.Errorf("%s: %v", c.task, err)
		}
		if way := leaveOut(task); task != c.task || way != c.way {
			t.Errorf("%q: %q, want %q: %q", task, way, c.task, c.way)
		}
	}
}

// TestTask: a task of a board is shown with its count, and has a way to leave it out.
func TestTask(t *testing.T) {
	for _, task := range []string{"fitting samples of the bootstrap", "testing cycles", "choosing pairs"} {
		var out bytes.Buffer
		shown := (&Run{}).Monitor(&cli.App{Ctx: t.Context(), Err: &out, Mode: "json"}, true)
		tell, end := shown.Task(task, 0)
		tell(0, 7)
		tell(3, 7)
		end()
		if text := out.String(); !strings.Contains(text, task) || !strings.Contains(text, `"done":3`) ||
			!strings.Contains(text, `"total":7`) {
			t.Errorf("%s: %q", task, text)
		}
		if leaveOut(task) == "" {
			t.Errorf("%s has no way to leave it out", task)
		}
	}
}
