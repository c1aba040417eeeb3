// Command pairrank-mpi trains RankSVM on files that are spread over the processes of an MPI job.
// Each process reads its files. The result is the model that pairrank predict and all other verbs
// read:
//
//	mpirun -np 4 --bind-to none pairrank-mpi part-*.txt -o model.txt --lambda 1e-4 --checkpoint run.ckpt
//
// Exit codes are those of pairrank: 0 ok, 1 runtime error, 2 wrong usage, 3 bad input data, 5
// numerical failure or stopped before the optimum, 130 interrupted.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"pairrank/internal/exit"
	"pairrank/mpi"
)

func main() { os.Exit(start()) }

// start runs the program as a process of its job.
func start() int {
	if asksForHelp(os.Args[1:]) {
		return exitCode(usage(os.Stdout))
	}
	world, err := mpi.Init()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pairrank-mpi:", err)
		return exit.Runtime
	}
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGUSR1)
	go func() {
		// mpirun passes Ctrl-C on as one signal or several, so that a second one is no
		// wish to end at once.
		<-signals
		cancel()
	}()
	p := program{group: world, library: mpi.Library(), stdout: os.Stdout, stderr: os.Stderr}
	err = p.run(ctx, os.Args[1:])
	if p.lost {
		_ = world.Abort(exit.Runtime) // the others may wait for this process
		return exit.Runtime
	}
	if closed := world.Close(); closed != nil && err == nil {
		err = closed
	}
	return exitCode(err)
}
