package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"pairrank/evidence/checks/internal/process"
	"pairrank/evidence/papers/experiment"
)

// beamed trains on Apache Beam: on Prism in process, and with Prism as a job server of its
// own. There is nothing where the module does not build.
func (s *settings) beamed(ctx context.Context, parts []string) ([]trained, error) {
	program, server := filepath.Join(s.work, "pairrank-beam"), filepath.Join(s.work, "prism")
	root, err := experiment.Root(ctx)
	if err != nil {
		return nil, err
	}
	for to, from := range map[string]string{program: "./cmd/pairrank-beam",
		server: "github.com/apache/beam/sdks/v2/go/cmd/prism"} {
		_, _, err := process.Run(ctx, filepath.Join(root, "beam"), append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0"),
			"go", "build", "-o", to, from)
		switch {
		case ctx.Err() != nil:
			return nil, err
		case err != nil:
			fmt.Fprintf(os.Stderr, "streaming: Beam is left out: %v\n", err)
			return nil, nil
		}
	}
	train := func(file string, args ...string) error {
		args = append([]string{"train", "-o", file, "--lambdas", lambda}, args...)
		_, _, err := process.Run(ctx, s.work, nil, program, append(args, parts...)...)
		return err
	}
	if err := train("beam.model"); err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	served, stop := context.WithCancel(ctx)
	cmd := exec.CommandContext(served, server, "--serve_http=false", "--job_port", strconv.Itoa(port))
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	if err := cmd.Start(); err != nil {
		stop()
		return nil, err
	}
	endpoint := net.JoinHostPort("localhost", strconv.Itoa(port))
	err = waitFor(ctx, endpoint)
	if err == nil {
		err = train("prism.model", "--runner", "universal", "--endpoint", endpoint, "--environment_type", "LOOPBACK")
	}
	stop()
	_ = cmd.Wait() // it ends by being killed
	return []trained{{"Beam on Prism, in process", "beam.model"},
		{"Beam, Prism as a job server of its own", "prism.model"}}, err
}

// freePort is one that nobody listens at now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// waitFor waits until somebody listens.
func waitFor(ctx context.Context, address string) error {
	for range 100 {
		if c, err := net.Dial("tcp", address); err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("Prism does not listen at " + address)
}
