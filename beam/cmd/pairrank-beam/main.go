// Command pairrank-beam trains on, and scores, many files as an Apache Beam pipeline: in this
// process by default, or on Flink, Spark or Dataflow by Beam's flags.
//
// Data go to files, messages to standard error. The exit codes are those of pairrank: 0 ok, 1 the
// job ended in an error, 2 wrong usage, 3 bad input data, 5 numerical failure, 130 interrupted.
package main

import (
	"context"
	"os"
	"os/signal"
	"pairrank/internal/exit"
	"syscall"
)

func main() {
	if isWorker(os.Args[1:]) {
		work(os.Args[1:])
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(exit.Interrupted)
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}
