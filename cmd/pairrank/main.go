// Command pairrank learns to rank from pairwise preferences, scores new data
// and measures rankings. Every verb explains itself: pairrank help VERB.
//
// Data goes to standard output, everything else to standard error. The exit
// codes are 0 ok, 1 runtime error, 2 wrong usage, 3 bad input data, 4 a gate
// was missed, 5 numerical failure, 6 units of others are missing, 7 nothing says whether one was missed,
// 130 interrupted.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/memory"
)

func main() {
	memory.Heed()
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		<-signals // also where the signal was ignored when the program began
		os.Exit(cli.ExitInterrupted)
	}()
	os.Exit(cli.ExitCode(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)))
}
