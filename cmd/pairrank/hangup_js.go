package main

import (
	"context"

	"pairrank/serve"
)

// reloadOnHangup does nothing where there are no signals.
func reloadOnHangup(context.Context, *serve.Server) (end func()) { return func() {} }
