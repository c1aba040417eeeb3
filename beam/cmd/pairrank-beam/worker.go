package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"pairrank/internal/exit"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// isWorker reports whether a runner calls the program to work for it: the boot program of
// Beam's containers with --worker, or a runner that starts processes
// (--environment_type=PROCESS) with --id and --provision_endpoint.
func isWorker(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		return name == "worker" && value != "false" || name == provisionFlag
	})
}

const provisionFlag = "provision_endpoint"

// provisionWait is how long a worker tries to reach the runner that has started it.
const provisionWait = time.Minute

// work works for a runner until it hangs up, and does not return.
func work(args []string) {
	provision := flag.String(provisionFlag, "", "where a process learns what to work for")
	flag.CommandLine.Parse(args) // exits where the arguments are wrong
	if *provision != "" {
		if err := join(*provision); err != nil {
			fmt.Fprintln(os.Stderr, "pairrank-beam:", err)
			os.Exit(exit.Runtime)
		}
	}
	beam.Init()
	panic("the runner's worker has returned")
}

// join sets the flags of Beam's worker from the runner at an endpoint, like the boot program of
// Beam's containers. The program itself is the worker, so nothing needs to be fetched.
func join(endpoint string) error {
	id := strings.Trim(flag.Lookup("id").Value.String(), "'") // Prism quotes it
	ctx, cancel := context.WithTimeout(grpcx.WriteWorkerID(context.Background(), id), provisionWait)
	defer cancel()
	info, err := tools.ProvisionInfo(ctx, endpoint)
	if err != nil {
		return fmt.Errorf("what to work for is not known: %w", err)
	}
	options, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return fmt.Errorf("the options of the pipeline: %w", err)
	}
	if status := info.GetStatusEndpoint().GetUrl(); status != "" {
		os.Setenv("STATUS_ENDPOINT", status)
	}
	os.Setenv("RUNNER_CAPABILITIES", strings.Join(info.GetRunnerCapabilities(), " "))
	return errors.Join(
		flag.Set("worker", "true"),
		flag.Set("options", options), // not in a file, which Beam would leave in the folder of the runner
		flag.Set("id", id),
		flag.Set("logging_endpoint", info.GetLoggingEndpoint().GetUrl()),
		flag.Set("control_endpoint", info.GetControlEndpoint().GetUrl()),
	)
}
