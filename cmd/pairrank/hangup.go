//go:build !js

package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"pairrank/serve"
)

// reloadOnHangup reloads for every SIGHUP until ctx ends; the function that it returns
// ends it, too, and waits for it.
func reloadOnHangup(ctx context.Context, s *serve.Server) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	var waiting sync.WaitGroup
	waiting.Go(func() {
		for {
			select {
			case <-hangups:
				s.Reload() // which logs
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		signal.Stop(hangups)
		cancel()
		waiting.Wait()
	}
}
