package serve

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Source is a model to be served: the places of its files.
type Source struct {
	Name string // in the path of requests; letters, digits and - _ . ~
	File string // of the model, which may be compressed

	// Golden is a file of rows, or pairs, with the scores that the model must give. "" means File
	// with the ending .golden.json, if that exists.
	Golden string

	// Rows and Cols are files of nodes for a model of pairs, as for predict, besides the nodes of
	// the training that the model keeps. In one domain Rows has both.
	Rows, Cols string
}

// Options configure a Server. The zero value of every field but Models is the default.
type Options struct {
	Models []Source

	// Ignore and Missing are defaults of requests: Ignore leaves out features unknown to the training,
	// otherwise an error. Missing says what is done with missing features: "model", or "", is what the training did,
	// "error" refuses them, and "zero" takes 0 for them, which a model that was trained with another treatment refuses.
	Ignore  bool
	Missing string

	// Reshape lets a reload load a model that takes other requests: of another kind, number of
	// features or outputs, or other feature names. Otherwise the reload is refused.
	Reshape bool

	// TokenFile has the bearer tokens, one a line; a request must have one of them. "" requires
	// none. /healthz, /readyz, /openapi.json and the page need none.
	TokenFile string

	// Hosts are further host names for a server without TokenFile. It also answers to localhost,
	// the addresses of this machine and, for connections from other machines, any address.
	Hosts []string

	// CertFile and KeyFile are PEM files for TLS, "" for plain HTTP.
	CertFile, KeyFile string

	MaxBody       int64         // bytes of a body; 0 is Defaults.MaxBody
	MaxHeld       int64         // bytes of all requests and answers; 0 is Defaults.MaxHeld, as New says
	MaxRows       int           // rows or pairs of a request; 0 is Defaults.MaxRows
	MaxConcurrent int           // requests that are scored at a time; 0 is twice the threads
	MaxQueue      int           // requests that wait for that, further ones get 503; 0 is Defaults.MaxQueue
	MaxPerClient  int           // requests at a time from one address, further ones get 429; 0 is any number
	QueueWait     time.Duration // for which a request waits before it gets 503; 0 is Defaults.QueueWait

	ReadHeaderTimeout time.Duration // 0 is Defaults.ReadHeaderTimeout
	ReadTimeout       time.Duration // of a request with its body; 0 is Defaults.ReadTimeout
	WriteTimeout      time.Duration // from the end of the header to the end of the answer; 0 is Defaults.WriteTimeout
	IdleTimeout       time.Duration // between requests of a connection; 0 is Defaults.IdleTimeout
	Drain             time.Duration // for requests in work when Run ends; 0 is Defaults.Drain
	Poll              time.Duration // between checks of all files, with tokens and certificate; 0 checks on request

	// Log receives reloads, refused and failed requests, and at level Debug all others; nil
	// discards them.
	Log *slog.Logger
}

// Defaults are the values of fields that are 0.
var Defaults = Options{
	MaxBody: 16 << 20, MaxHeld: 256 << 20, MaxRows: 100_000, MaxQueue: 1024, QueueWait: 2 * time.Second,
	ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute,
	IdleTimeout: 2 * time.Minute, Drain: 10 * time.Second,
}

// bodiesHeld is how many times the longest body MaxHeld is at least, where it is not given:
// a body of the shortest numbers takes five times its length as it is read.
const bodiesHeld = 16

// filled returns the options with defaults filled in, or an error.
func (o Options) filled() (Options, error) {
	if len(o.Models) == 0 {
		return o, errors.New("there is no model to serve")
	}
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"MaxBody", o.MaxBody}, {"MaxHeld", o.MaxHeld}, {"MaxRows", int64(o.MaxRows)},
		{"MaxConcurrent", int64(o.MaxConcurrent)},
		{"MaxQueue", int64(o.MaxQueue)}, {"MaxPerClient", int64(o.MaxPerClient)}, {"QueueWait", int64(o.QueueWait)},
		{"ReadHeaderTimeout", int64(o.ReadHeaderTimeout)}, {"ReadTimeout", int64(o.ReadTimeout)},
		{"WriteTimeout", int64(o.WriteTimeout)},
		{"IdleTimeout", int64(o.IdleTimeout)}, {"Drain", int64(o.Drain)}, {"Poll", int64(o.Poll)},
	} {
		if n.value < 0 {
			return o, fmt.Errorf("%s is %d, below 0", n.name, n.value)
		}
	}
	if _, err := missingBy(o.Missing); err != nil {
		return o, fmt.Errorf("%s: %w", "Missing", err)
	}
	if (o.CertFile == "") != (o.KeyFile == "") {
		return o, errors.New("TLS needs both a certificate and a key")
	}
	o.MaxBody = cmp.Or(o.MaxBody, Defaults.MaxBody)
	held := int64(math.MaxInt64)
	if o.MaxBody < held/bodiesHeld {
		held = max(Defaults.MaxHeld, bodiesHeld*o.MaxBody)
	}
	o.MaxHeld = cmp.Or(o.MaxHeld, held)
	o.MaxRows = cmp.Or(o.MaxRows, Defaults.MaxRows)
	o.MaxConcurrent = cmp.Or(o.MaxConcurrent, 2*runtime.GOMAXPROCS(0))
	o.MaxQueue = cmp.Or(o.MaxQueue, Defaults.MaxQueue)
	o.QueueWait = cmp.Or(o.QueueWait, Defaults.QueueWait)
	o.ReadHeaderTimeout = cmp.Or(o.ReadHeaderTimeout, Defaults.ReadHeaderTimeout)
	o.ReadTimeout = cmp.Or(o.ReadTimeout, Defaults.ReadTimeout)
	o.WriteTimeout = cmp.Or(o.WriteTimeout, Defaults.WriteTimeout)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, Defaults.IdleTimeout)
	o.Drain = cmp.Or(o.Drain, Defaults.Drain)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// ParseSource returns the source that a text names: NAME=FILE, or FILE, whose model has the name of
// the file without folder and ending. A text whose = stands after a folder is a file.
func ParseSource(text string) (Source, error) {
	name, file, named := strings.Cut(text, "=")
	if !named || strings.ContainsAny(name, `/\`) {
		file = text
		name = filepath.Base(file)
		for _, compressed := range []string{".gz", ".zst"} {
			name = strings.TrimSuffix(name, compressed)
		}
		if short := strings.TrimSuffix(name, filepath.Ext(name)); short != "" {
			name = short
		}
	}
	if file == "" {
		return Source{}, fmt.Errorf("%q names no file", text)
	}
	if err := checkName(name); err != nil {
		return Source{}, err
	}
	return Source{Name: name, File: file}, nil
}

// checkName refuses a name that cannot stand in a path.
func checkName(name string) error {
	const others = "-_.~"
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune(others, c)) {
			return fmt.Errorf("%q cannot be the name of a model, with %q in it: write NAME=FILE, NAME of letters, "+
				"digits and %s", name, c, others)
		}
	}
	if strings.Trim(name, ".") == "" {
		return fmt.Errorf("%q cannot be the name of a model: write NAME=FILE", name)
	}
	return nil
}
