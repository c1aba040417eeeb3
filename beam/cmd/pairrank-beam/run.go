package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"pairrank/beam/pipeline"
	"pairrank/fault"
	"pairrank/internal/exit"
)

const usage = `pairrank-beam trains on and scores many files as an Apache Beam pipeline.

  pairrank-beam train FILE… -o MODEL    sum the files, choose lambda, train
  pairrank-beam score MODEL FILE… -o FOLDER    one file of scores for each file

A FILE is SVMlight or LETOR text, plain or compressed by gzip or zstd, on disk or in gs://;
it may be a pattern. By default all runs in this process, on Beam's runner Prism;
--runner and --endpoint lead elsewhere. pairrank-beam VERB --help lists the flags.
`

// errUsage is the error of a wrong call.
type errUsage struct{ error }

// usagef is an error of a wrong call.
func usagef(format string, args ...any) error { return errUsage{fmt.Errorf(format, args...)} }

// verb is an action of the program.
type verb struct {
	flags *flag.FlagSet
	limit time.Duration // of the job, or 0
	// build adds the work to a pipeline that writes so many files; done reports it after success.
	build func(ctx context.Context, s beam.Scope, args []string) (outputs int64, err error)
	done  func(ctx context.Context, err io.Writer) error
}

// run executes the arguments and returns the exit code.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	err := do(ctx, args, stderr)
	var wrong errUsage
	var job errJob
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "pairrank-beam:", err)
		return exit.Interrupted
	case errors.As(err, &wrong):
		fmt.Fprintf(stderr, "pairrank-beam: %v\n", err)
		return exit.Usage
	}
	fmt.Fprintf(stderr, "pairrank-beam: %v\n", err)
	if errors.As(err, &job) {
		return exit.OfKind(job.kind)
	}
	return exit.Runtime
}

func do(ctx context.Context, args []string, stderr io.Writer) error {
	verbs := map[string]func() *verb{"train": newTrain, "score": newScore}
	if len(args) == 0 || verbs[args[0]] == nil {
		if len(args) > 0 && strings.TrimLeft(args[0], "-") == "help" {
			fmt.Fprint(stderr, usage)
			return nil
		}
		return usagef("the verb is train or score: see pairrank-beam help")
	}
	v := verbs[args[0]]()
	level := v.flags.String("log", "none", "what Beam logs to standard error: none, error, warn, info or debug")
	v.flags.DurationVar(&v.limit, "time-limit", 0,
		"cancel the job and end in an error after so long, as 30m or 2h (default: no limit)")
	v.flags.SetOutput(stderr)
	ours := names(v.flags)
	addBeamFlags(v.flags)
	v.flags.Usage = func() { help(v.flags, ours) }
	rest, err := parse(v.flags, args[1:])
	if err != nil {
		return err
	}
	beam.Init()
	if err := logTo(*level); err != nil { // after Init, which logs as it likes
		return err
	}
	return v.run(ctx, rest, stderr)
}

// run builds the pipeline and runs it.
func (v *verb) run(ctx context.Context, args []string, stderr io.Writer) error {
	p, s := beam.NewPipelineWithRoot()
	outputs, err := v.build(ctx, s, args)
	if err != nil {
		return err
	}
	leave, err := prepare()
	if err != nil {
		return err
	}
	defer leave()
	result, err := v.wait(ctx, p)
	if err != nil {
		return err
	}
	if *jobopts.Async {
		fmt.Fprintln(stderr, "the job was submitted; --async does not wait for its end")
		return nil
	}
	if n := pipeline.Outputs(result); n < outputs {
		return fmt.Errorf("the job has ended with %d of %d files written: it was cancelled, or the runner lost a "+
			"part of it", n, outputs)
	}
	return v.done(ctx, stderr)
}

// errInterrupted is the error of a job that the user has ended.
var errInterrupted = errors.New("interrupted: the job is cancelled")

// wait runs the pipeline to its end, to the end of ctx or to the time limit. Then the job is
// cancelled on its server first: a worker in this process that goes away while the job runs
// makes Prism panic.
func (v *verb) wait(ctx context.Context, p *beam.Pipeline) (result beam.PipelineResult, err error) {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ended := make(chan struct{})
	go func() {
		result, err = beamx.RunWithMetrics(running, p)
		close(ended)
	}()
	var late <-chan time.Time
	if v.limit > 0 {
		timer := time.NewTimer(v.limit)
		defer timer.Stop()
		late = timer.C
	}
	var cause error
	select {
	case <-ended:
		return result, jobError(err)
	case <-ctx.Done():
		cause = errInterrupted
	case <-late:
		cause = fmt.Errorf("the job has not ended within the time limit of %s: it is cancelled", v.limit)
	}
	if err := cancelJob(); err != nil {
		cause = fmt.Errorf("%w, or should be: %w", cause, err)
	}
	select {
	case <-ended:
	case <-time.After(cancelWait):
	}
	return nil, cause
}

// knownRunners are the names of the runners in the program. The names of Prism, the default, come
// first.
var knownRunners = []string{
	"", "prism", "PrismRunner", "universal", "portable", "PortableRunner",
	"flink", "FlinkRunner", "spark", "SparkRunner", "dataflow", "DataflowRunner",
}

// prepare sets values that Beam would otherwise guess: a name to find the job again, this program
// as the worker program, and a folder for leftovers, which leave removes. Beam 2.77.0 itself calls go
// build in the caller's folder for the worker, ends without a word for an unknown runner, and leaves
// an empty file of each job in TMPDIR.
func prepare() (leave func(), err error) {
	if *jobopts.JobName == "" {
		*jobopts.JobName = fmt.Sprintf("pairrank-%d-%d", os.Getpid(), time.Now().UnixNano())
	}
	if !slices.Contains(knownRunners, *runners.Runner) {
		return nil, usagef("--runner %q is unknown: known are prism, universal, flink, spark, dataflow",
			*runners.Runner)
	}
	here := jobopts.IsLoopback() || *jobopts.Endpoint == "" && slices.Contains(knownRunners[:3], *runners.Runner)
	if *jobopts.Async && here {
		return nil, usagef("--async does not wait for the job, and its worker is this process: give --endpoint and " +
			"an --environment_type other than LOOPBACK")
	}
	if *jobopts.WorkerBinary == "" && !here {
		if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
			return nil, usagef("workers run linux/amd64: build the program for it, too, with CGO_ENABLED=0, and " +
				"give it as --worker_binary")
		}
		if *jobopts.WorkerBinary, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	folder, err := os.MkdirTemp("", "pairrank-beam-")
	if err != nil {
		return nil, err
	}
	os.Setenv("TMPDIR", folder)
	return func() { os.RemoveAll(folder) }, nil
}

// errJob is the error of a job, and whose the fault is.
type errJob struct {
	error
	kind fault.Kind
}

// jobError returns the reason a job ended: the fault of the data where known, else the whole
// message of Beam.
func jobError(err error) error {
	if err == nil {
		return nil
	}
	if cause := pipeline.Cause(err); cause != "" {
		return errJob{errors.New(cause), pipeline.Kind(err)}
	}
	return fmt.Errorf("the job ended in an error: %w", err)
}
