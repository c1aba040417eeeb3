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
	"time"

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
	cmd := &cobra.Command{
		Use:   "serve MODEL…",
		Short: "answer over HTTP with what models score",
		Long: `serve answers requests in JSON: POST /v1/models/NAME/score, /rank and /explain
with {"rows":[[…],…]}, or with named features {"rows":[{"feature":value,…},…]},
or for a model of edges {"pairs":[[row id, column id],…]} or {"given":row id}.
A model is called by the name of its file without ending, or as in NAME=FILE.
At / there is a page to paste candidates into, at /openapi.json a description of
everything, at /metrics numbers for Prometheus, at /healthz and /readyz the state.

SIGHUP, POST /-/reload and --poll read the files again, verify their checksums
and golden scores, and exchange the models between two requests; a file that
cannot be served, or whose model takes other requests (--reload), leaves the
model that serves. Golden scores are a request with the scores that it must get,
in MODEL.golden.json or --golden.

Nobody but this machine is answered unless --listen says so; then give
--token-file, and --tls-cert with --tls-key. Without tokens requests must name
the host as localhost, an address or --host, which no page in a browser can
forge. SIGTERM ends the server when the requests in work are answered.`,
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
	}
	f.define(cmd)
	return cmd
}

// listFlag is a flag that may be given again and again, of a kind of values.
type listFlag struct {
	to   *[]string
	kind string
}

func (f listFlag) Type() string   { return f.kind }
func (f listFlag) String() string { return "" }
func (f listFlag) Repeatable()    {}
func (f listFlag) Set(text string) error {
	*f.to = append(*f.to, text)
	return nil
}

// define gives the verb its flags.
func (f *serveFlags) define(cmd *cobra.Command) {
	o, flags := &f.options, cmd.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8080", "`ADDRESS` host:port; :8080 is every address of the machine")
	flags.Var(listFlag{&o.Hosts, "NAME"}, "host",
		"`NAME` of a host by which requests without tokens may ask, beside localhost and addresses; may be repeated")
	flags.StringVar(&o.TokenFile, "token-file", "", "`FILE` of bearer tokens, one a line, one of which requests must have (default: none is asked for)")
	flags.StringVar(&o.CertFile, "tls-cert", "", "PEM `FILE` of the certificate, for TLS")
	flags.StringVar(&o.KeyFile, "tls-key", "", "PEM `FILE` of its key")
	flags.Var(listFlag{&f.golden, "FILE"}, "golden",
		"`FILE` of golden scores, or NAME=FILE; may be repeated (default: MODEL.golden.json, if there)")
	flags.Var(listFlag{&f.rows, "FILE"}, "rows",
		"`FILE` of row nodes beside those of training, or NAME=FILE; may be repeated")
	flags.Var(listFlag{&f.cols, "FILE"}, "cols", "`FILE` of column nodes, likewise; may be repeated")
	extraFlag(cmd, &f.extra)
	cli.EnumFlag(cmd, &f.missing, "missing", "error", []string{"error", "zero"}, "what a missing feature becomes, where a request does not say")
	cli.EnumFlag(cmd, &f.reload, "reload", "same", []string{"same", "any"},
		"which models a reload takes: same features and outputs, or any")
	flags.IntVar(&f.maxBody, "max-body", serve.DefaultMaxBody, "`N` bytes of the longest body")
	flags.IntVar(&f.maxHeld, "max-held", 0,
		"`N` bytes of all requests and answers in memory (default: 268435456, or 16 times --max-body; "+
			"at most an eighth of what is free)")
	flags.Lookup("max-held").DefValue = "0"
	flags.IntVar(&o.MaxRows, "max-rows", serve.DefaultMaxRows, "`N` rows or pairs of a request")
	flags.IntVar(&o.MaxConcurrent, "max-concurrent", 0, "`N` requests scored at a time (default: twice the threads)")
	flags.IntVar(&o.MaxQueue, "max-queue", serve.DefaultMaxQueue, "`N` requests that wait; further ones get 503")
	flags.IntVar(&o.MaxPerClient, "max-per-client", 0, "`N` requests at a time from an address; further ones get 429 (default: any number)")
	for _, d := range []struct {
		to    *time.Duration
		name  string
		value time.Duration
		usage string
	}{
		{&o.QueueWait, "queue-wait", serve.DefaultQueueWait, "`TIME` for which a request waits, then it gets 503"},
		{&o.ReadHeaderTimeout, "read-header-timeout", serve.DefaultReadHeaderTimeout, "`TIME` for the header of a request"},
		{&o.ReadTimeout, "read-timeout", serve.DefaultReadTimeout, "`TIME` for a request with its body"},
		{&o.WriteTimeout, "write-timeout", serve.DefaultWriteTimeout, "`TIME` from the end of the header to that of the answer"},
		{&o.IdleTimeout, "idle-timeout", serve.DefaultIdleTimeout, "`TIME` between two requests of a connection"},
		{&o.Drain, "drain", serve.DefaultDrain, "`TIME` for requests in work when the server ends"},
		{&o.Poll, "poll", 0, "`TIME` between looks at the files for new ones, as in 10s (default: none)"},
	} {
		flags.DurationVar(d.to, d.name, d.value, d.usage)
	}
	cli.EnumFlag(cmd, &f.logFormat, "log-format", "text", []string{"text", "json"}, "of the log on standard error")
	cli.EnumFlag(cmd, &f.logLevel, "log-level", "info", []string{"debug", "info", "warn", "error"}, "least level that is logged; debug has every request")
	flags.BoolVar(&f.check, "check", false, "read all files, hold the models to their golden scores, print what would be served, and end")
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
	if err := f.checkNumbers(); err != nil {
		return err
	}
	if (o.CertFile == "") != (o.KeyFile == "") {
		return cli.Usagef("--tls-cert and --tls-key are given together")
	}
	if host, _, err := net.SplitHostPort(f.listen); err != nil {
		return cli.WithHint(cli.Usagef("--listen %s: %v", f.listen, err), "an address is host:port, as in 127.0.0.1:8080")
	} else if !isLoopback(host) && o.TokenFile == "" && !f.check {
		a.Note("every machine that reaches %s may ask, and have models read again: "+
			"--token-file FILE has tokens that requests must have", f.listen)
	}
	if host, _, _ := net.SplitHostPort(f.listen); host != "" && host != "localhost" && net.ParseIP(host) == nil {
		o.Hosts = append(o.Hosts, host)
	}
	o.MaxBody, o.MaxHeld = int64(f.maxBody), int64(f.maxHeld)
	o.Ignore, o.Zero, o.Reshape = f.extra == "ignore", f.missing == "zero", f.reload == "any"
	o.Log = f.log(a)
	return nil
}

// checkNumbers refuses numbers and times that leave nothing.
func (f *serveFlags) checkNumbers() error {
	o := &f.options
	for _, n := range []struct {
		name  string
		value int
	}{{"max-body", f.maxBody}, {"max-rows", o.MaxRows}, {"max-queue", o.MaxQueue}, {"max-held", f.maxHeld + 1}, {"max-concurrent", o.MaxConcurrent + 1}, {"max-per-client", o.MaxPerClient + 1}} {
		if n.value < 1 {
			return cli.Usagef("--%s is too small", n.name)
		}
	}
	for _, d := range []time.Duration{o.QueueWait, o.ReadHeaderTimeout, o.ReadTimeout, o.WriteTimeout, o.IdleTimeout, o.Drain, o.Poll + 1} {
		if d <= 0 {
			return cli.Usagef("a time of %v is not above 0", d)
		}
	}
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
	return extraError(cli.AsData(err))
}
