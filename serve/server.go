package serve

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"pairrank/internal/memory"
	"pairrank/internal/spell"
)

// Server serves models. It is an http.Handler, safe for concurrent use.
type Server struct {
	options  Options
	log      *slog.Logger
	models   map[string]*hosted
	names    []string // of the models, in the order of the options
	limits   limits
	admit    *admission
	metrics  *metrics
	routes   []route
	handler  http.Handler
	prefix   string // of the ids of requests that come without one
	count    atomic.Uint64
	draining atomic.Bool
	secrets  secrets
	hosts    []string // of the options, as they are compared

	reloading sync.Mutex
	seen      stamps // of the files of tokens and certificate when they were read last; reload alone looks at it
}

// New makes a Server: it reads the models, verifies their checksums and golden scores, and returns
// an error that names all models that cannot be served. A model takes the memory that the verb
// predict takes, twice while it is read again. Requests and their answers hold up to MaxHeld bytes
// until the answers are written, and garbage up to one and a half times as much. MaxHeld defaults
// to Defaults.MaxHeld, or 16 times MaxBody where that is more, but at most an eighth of the memory
// that is free when the models are read.
func New(o Options) (*Server, error) {
	given := o.MaxHeld
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, log: o.Log, models: map[string]*hosted{}, admit: newAdmission(&o)}
	s.metrics = newMetrics(&s.admit.budget)
	s.limits = limits{rows: o.MaxRows, cells: int(max(1, o.MaxBody/2)), ignore: o.Ignore, reshape: o.Reshape}
	s.limits.missing, _ = missingBy(o.Missing) // filled has looked at it
	if s.hosts, err = checkHosts(o.Hosts); err != nil {
		return nil, err
	}
	var random [4]byte
	rand.Read(random[:]) // ends the program where there is no randomness
	s.prefix = hex.EncodeToString(random[:])
	s.seen = secretStamps(&o)
	if err := s.secrets.read(&o); err != nil {
		return nil, err
	}
	var wrong []error
	for _, src := range o.Models {
		if err := checkName(src.Name); err != nil {
			wrong = append(wrong, err)
			continue
		}
		if s.models[src.Name] != nil {
			wrong = append(wrong, fmt.Errorf("two models are called %s: write NAME=FILE", src.Name))
			continue
		}
		h := &hosted{source: src}
		s.models[src.Name] = h
		s.names = append(s.names, src.Name)
		if err := s.read(h); err != nil {
			wrong = append(wrong, err)
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	s.hold(given)
	s.routes = s.allRoutes()
	s.handler = s.outer(s.router())
	return s, nil
}

// hold sets the budget of requests: as given, else that of the options, at most an eighth of the
// memory that the models leave. Garbage and fragmentation take more.
func (s *Server) hold(given int64) {
	const share, least = 8, 16 << 20
	if given == 0 {
		s.options.MaxHeld = int64(min(float64(s.options.MaxHeld), max(least, memory.Free()/share)))
	}
	s.admit.budget.most = s.options.MaxHeld
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Reload reads the files of all models again, and tokens and certificates. A model stays, with its
// requests, if its new file cannot be served, takes other requests (Options.Reshape), or does not
// reproduce its golden scores. The error joins all reasons; they are also logged, and shown by
// /v1/models and /readyz.
func (s *Server) Reload() error {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	wrong := []error{s.rereadSecrets()}
	for _, name := range s.names {
		wrong = append(wrong, s.reread(s.models[name]))
	}
	return errors.Join(wrong...)
}

// reloadChanged is Reload of the models, and of tokens and certificate, whose files have
// changed since they were read.
func (s *Server) reloadChanged() {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	if !secretStamps(&s.options).same(s.seen) {
		s.rereadSecrets() // which logs
	}
	for _, name := range s.names {
		if h := s.models[name]; !stampsOf(h.source).same(h.seen) {
			s.reread(h) // which logs
		}
	}
}

// read reads a model and counts it.
func (s *Server) read(h *hosted) error {
	err := h.read(s.limits)
	s.metrics.read(h, err)
	return err
}

// reread is read for a serving model, and logs.
func (s *Server) reread(h *hosted) error {
	before := h.current.Load()
	if err := s.read(h); err != nil {
		s.log.Error("reload refused: the model loaded before still serves", "model", h.source.Name,
			"version", before.version, "error", err)
		return err
	}
	h.reloads.Add(1)
	after := h.current.Load()
	s.log.Info("model reloaded", "model", h.source.Name, "version", after.version, "before", before.version)
	if err := after.fits(before); err != nil {
		s.log.Warn("the model accepts other requests than before", "model", h.source.Name, "how", err)
	}
	return nil
}

func (s *Server) rereadSecrets() error {
	s.seen = secretStamps(&s.options) // before they are read: a later change is seen then
	err := s.secrets.read(&s.options)
	if err != nil {
		s.log.Error("reload refused: the tokens and certificate read before still apply", "error", err)
	}
	return err
}

// model is the one that a path names.
func (s *Server) model(name string) (*hosted, *Problem) {
	if h := s.models[name]; h != nil {
		return h, nil
	}
	p := problem(http.StatusNotFound, "unknown-model", "there is no model %q", clip(name))
	if near := spell.Nearest(clip(name), s.names); near != "" {
		return nil, p.hint("did you mean %s?", near)
	}
	return nil, p.hint("the models are %s", strings.Join(s.names, ", "))
}
