package serve

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// requestID is the header that names a request.
const requestID = "X-Request-Id"

// answerWriter records the status and size of an answer.
type answerWriter struct {
	http.ResponseWriter
	status int
	route  string // "" where there is none
}

func (w *answerWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *answerWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// outer wraps every request: it gives it an id, refuses it where a page of another origin sent it
// or its host name is foreign, counts, times and logs it.
func (s *Server) outer(inner http.Handler) http.Handler {
	guard := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		s.metrics.inFlight.Inc()
		defer s.metrics.inFlight.Dec()
		a := &answerWriter{ResponseWriter: w}
		h := w.Header()
		h[requestID] = []string{s.requestID(r)}
		h["X-Content-Type-Options"] = noSniff
		defer s.finish(a, r, began)
		if err := guard.Check(r); err != nil {
			writeProblem(a, problem(http.StatusForbidden, "cross-origin", "a page of another origin sent the request"))
			return
		}
		if p := s.misdirected(r); p != nil {
			writeProblem(a, p)
			return
		}
		inner.ServeHTTP(a, r)
	})
}

var noSniff = []string{"nosniff"}

// finish counts and logs a request, and answers one that found a fault of ours.
func (s *Server) finish(a *answerWriter, r *http.Request, began time.Time) {
	fault := recover()
	if fault != nil && fault != http.ErrAbortHandler {
		s.log.Error("request found a fault", "id", a.Header().Get(requestID), "path", r.URL.Path, "fault", fault,
			"stack", string(debug.Stack()))
		if a.status == 0 {
			writeProblem(a, problem(http.StatusInternalServerError, "fault", "the server has a fault; see its log"))
		}
	}
	took := time.Since(began)
	route := a.route
	if route == "" {
		route = "other"
	}
	s.metrics.observe(route, a.status, took)
	level := slog.LevelDebug
	switch {
	case a.status >= 500 || a.status == http.StatusTooManyRequests:
		level = slog.LevelWarn
	case a.status >= 400:
		level = slog.LevelInfo
	}
	if s.log.Enabled(r.Context(), level) {
		s.log.LogAttrs(r.Context(), level, "request", slog.String("id", a.Header().Get(requestID)),
			slog.String("method", r.Method), slog.String("path", r.URL.Path),
			slog.Int("status", a.status), slog.Duration("took", took), slog.String("client", r.RemoteAddr))
	}
	if fault == http.ErrAbortHandler {
		panic(fault)
	}
}

// requestID is the id that a request came with, where that is sane, else a new one.
func (s *Server) requestID(r *http.Request) string {
	if given := r.Header[requestID]; len(given) == 1 && saneID(given[0]) {
		return given[0]
	}
	b := append(make([]byte, 0, 32), s.prefix...)
	return string(strconv.AppendUint(append(b, '-'), s.count.Add(1), 16))
}

// saneID reports whether an id of a client may stand in logs and answers.
func saneID(id string) bool {
	const most, letters = 128, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/+="
	return len(id) > 0 && len(id) <= most && strings.Trim(id, letters) == ""
}
