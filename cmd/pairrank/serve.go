package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"net"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/serve"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	options             serve.Options
	listen              string
	golden, rows, cols  []string
	extra, missing      string
	reload              string
	maxBody, maxHeld    int
	logFormat, logLevel string
	check               bool
}

func newServe(a *app) *cobra.Command {
	var f serveFlags
	return a.Bind(&cobra.Command{
		Use:   "serve MODEL…",
		Short: "serve scores and explanations over HTTP",
		Long: `serve answers requests in JSON: POST /v1/models/NAME/score, /rank and /explain
with {"rows":[[…],…]}, or with named features {"rows":[{"feature":value,…},…]},
or for a model of edges {"pairs":[[row id, column id],…]} or {"given":row id}.
A model is called by the name of its file without ending, or as in NAME=FILE.
/ is a page to paste candidates into, /openapi.json describes all routes, /metrics has
numbers for Prometheus, /healthz and /readyz the state.

SIGHUP, POST /-/reload and --poll read the files again, verify their checksums
and golden scores, and exchange the models between two requests. If a file cannot
be served, or its model takes other requests (--reload), the old model serves on.
Golden scores are a request with its expected scores, in MODEL.golden.json or
--golden.

By default the server answers this machine only. If --listen opens it to others,
give --token-file, and --tls-cert with --tls-key. Without tokens requests must name
the host as localhost, an address or --host, which no page in a browser can forge.
SIGTERM ends the server once it has answered the requests in work.`,
		Example: `  pairrank serve model.txt
  pairrank serve ltr=model.txt drugs=pairs.model --poll 10s
  pairrank serve model.txt --listen :8443 --token-file tokens --tls-cert c.pem --tls-key k.pem
  curl -d '{"rows":[[1,2,3],[4,5,6]]}' http://127.0.0.1:8080/v1/models/model/rank`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("MODEL is missing")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.serve(args, &f) },
	}, f.targets)
}

// targets are where the values of the options go.
func (f *serveFlags) targets() cli.Targets {
	o := &f.options
	return cli.Targets{
		"listen": &f.listen, "host": cli.Texts(&o.Hosts, "NAME"), "token-file": &o.TokenFile, "tls-cert": &o.CertFile,
		"tls-key": &o.KeyFile, "golden": cli.Texts(&f.golden, "FILE"), "rows": cli.Texts(&f.rows, "FILE"),
		"cols": cli.Texts(&f.cols, "FILE"), "extra-features": &f.extra, "missing": &f.missing, "reload": &f.reload,
		"max-body": &f.maxBody, "max-held": &f.maxHeld, "max-rows": &o.MaxRows, "max-concurrent": &o.MaxConcurrent,
		"max-queue": &o.MaxQueue, "max-per-client": &o.MaxPerClient, "queue-wait": &o.QueueWait,
		"read-header-timeout": &o.ReadHeaderTimeout, "read-timeout": &o.ReadTimeout, "write-timeout": &o.WriteTimeout,
		"idle-timeout": &o.IdleTimeout, "drain": &o.Drain, "poll": &o.Poll, "log-format": &f.logFormat,
		"log-level": &f.logLevel, "check": &f.check,
	}
}

// fill makes options of the flags.
func (f *serveFlags) fill(a *app, args []string) error {
	o := &f.options
	for _, text := range args {
		src, err := serve.ParseSource(text)
		if err != nil {
			return cli.AsUsage(err)
		}
		o.Models = append(o.Models, src)
	}
	if err := cmp.Or(f.place("golden", f.golden, func(s *serve.Source) *string { return &s.Golden }),
		f.place("rows", f.rows, func(s *serve.Source) *string { return &s.Rows }),
		f.place("cols", f.cols, func(s *serve.Source) *string { return &s.Cols })); err != nil {
		return err
	}
	files := []string{o.TokenFile, o.CertFile, o.KeyFile}
	for _, src := range o.Models {
		files = append(files, src.File, src.Golden, src.Rows, src.Cols)
	}
	if slices.Contains(files, "-") {
		return cli.Usagef("a server reads its files again and again, and standard input only once: give a file")
	}
	if host, _, err := net.SplitHostPort(f.listen); err != nil {
		return cli.WithHint(cli.Usagef("--listen %s: %v", f.listen, err),
			"an address is host:port, as in 127.0.0.1:8080")
	} else if !isLoopback(host) && o.TokenFile == "" && !f.check {
		a.Note("every machine that reaches %s may ask, and have models read again: "+
			"--token-file FILE has tokens that requests must have", f.listen)
	}
	if host, _, _ := net.SplitHostPort(f.listen); host != "" && host != "localhost" && net.ParseIP(host) == nil {
		o.Hosts = append(o.Hosts, host)
	}
	o.MaxBody, o.MaxHeld = int64(f.maxBody), int64(f.maxHeld)
	o.Ignore, o.Missing, o.Reshape = f.extra == "ignore", f.missing, f.reload == "any"
	o.Log = f.log(a)
	return nil
}

// isLoopback reports whether an address is of this machine alone.
func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// place puts files where the models are that they belong to.
func (f *serveFlags) place(flag string, texts []string, at func(*serve.Source) *string) error {
	models := f.options.Models
	for _, text := range texts {
		to := 0
		name, file, named := strings.Cut(text, "=")
		if !named {
			if file = text; len(models) > 1 {
				return cli.Usagef("--%s %s: which model is it for? write NAME=FILE", flag, text)
			}
		} else {
			for to = 0; to < len(models) && models[to].Name != name; to++ {
			}
			if to == len(models) {
				return cli.Usagef("--%s %s: there is no model %q", flag, text, name)
			}
		}
		if *at(&models[to]) != "" {
			return cli.Usagef("--%s is given twice for the model %s", flag, models[to].Name)
		}
		*at(&models[to]) = file
	}
	return nil
}

// log writes to standard error.
func (f *serveFlags) log(a *app) *slog.Logger {
	var level slog.Level
	if level.UnmarshalText([]byte(f.logLevel)) != nil {
		level = math.MaxInt // no such flag
	}
	o := &slog.HandlerOptions{Level: level}
	if f.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(a.Err, o))
	}
	return slog.New(slog.NewTextHandler(a.Err, o))
}

func (a *app) serve(args []string, f *serveFlags) error {
	if err := f.fill(a, args); err != nil {
		return err
	}
	s, err := cli.AwaitFor(a.Ctx, func() (*serve.Server, error) { return serve.New(f.options) })
	if err != nil {
		return serveError(err)
	}
	if f.check {
		return a.Write("-", func(w io.Writer) error {
			if _, err := fmt.Fprintf(w, "%s, log as %s from %s on\n", f.listen, f.logFormat, f.logLevel); err != nil {
				return err
			}
			return s.Describe(w)
		})
	}
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		return err
	}
	defer reloadOnHangup(a.Ctx, s)()
	return s.Run(a.Ctx, l)
}

// serveError is what keeps a server from its start: about the data, unless a file cannot be
// read.
func serveError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) || errors.Is(err, context.Canceled) {
		return cli.FileError(err)
	}
	return likeTraining(cli.AsData(err))
}
