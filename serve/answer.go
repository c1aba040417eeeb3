package serve

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
)

// answerFunc answers a request whose body is read.
type answerFunc func(l *loaded, j *job, name string) *Problem

func (l *loaded) answerScore(j *job, name string) *Problem { return l.answerRows(j, name, false) }

func (l *loaded) answerRank(j *job, name string) *Problem { return l.answerRows(j, name, true) }

// answerRows answers score and rank.
func (l *loaded) answerRows(j *job, name string, ranked bool) *Problem {
	q, p := j.request(l, nil)
	if p != nil {
		return p
	}
	if q.compare != nil {
		return malformed("compare is for explain").at("compare")
	}
	if q.top != 0 && !ranked {
		return malformed("top is for rank and explain").at("top")
	}
	if p := j.takeScores(l, q, ranked); p != nil {
		return p
	}
	if p := l.score(j, q); p != nil {
		return p
	}
	l.answerScores(j, q, name, ranked)
	return nil
}

// answerExplain answers explain.
func (l *loaded) answerExplain(j *job, name string) *Problem {
	q, p := j.request(l, nil)
	if p != nil {
		return p
	}
	return l.answerExplained(j, q, name)
}

// contentJSON is shared by all answers, which do not change it.
var contentJSON = []string{"application/json"}

// answer reads a body, waits for its turn, and has the model as it is then answer.
func (s *Server) answer(by answerFunc) func(http.ResponseWriter, *http.Request) *Problem {
	return func(w http.ResponseWriter, r *http.Request) *Problem {
		h, p := s.model(r.PathValue("name"))
		if p != nil {
			return p
		}
		leave, p := s.admit.enter(r)
		if p != nil {
			return s.shed(p)
		}
		defer leave()
		j := newJob(&s.admit.budget)
		defer j.free() // when the answer is written
		if p := s.admit.body(j, r); p != nil {
			return s.shed(p)
		}
		if p := s.admit.slot(r.Context()); p != nil {
			return s.shed(p)
		}
		if p := s.compute(h, j, by); p != nil {
			return s.shed(p)
		}
		w.Header()["Content-Type"] = contentJSON
		w.Header().Set("Content-Length", strconv.Itoa(len(j.out)))
		w.Write(j.out)
		return nil
	}
}

// compute answers in the slot that the request has.
func (s *Server) compute(h *hosted, j *job, by answerFunc) *Problem {
	defer s.admit.done()
	p := by(h.current.Load(), j, h.source.Name)
	if p == nil {
		s.metrics.scored(h.source.Name, j.rows, &j.seen)
		j.settle()
	}
	return p
}

// shed counts a request that is refused since there are too many.
func (s *Server) shed(p *Problem) *Problem {
	if p.retry > 0 {
		s.metrics.shed.WithLabelValues(p.Code).Inc()
	}
	return p
}

// writeJSON answers with a document.
func writeJSON(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // facts, which are finite
	}
	jsonHeader(w, status, len(text)+1)
	w.Write(append(text, '\n'))
}

// jsonHeader writes the header of an answer with facts, which change at any time.
func jsonHeader(w http.ResponseWriter, status, length int) {
	w.Header()["Content-Type"] = contentJSON
	w.Header().Set("Content-Length", strconv.Itoa(length))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
}

// modelList is the answer to GET /v1/models.
type modelList struct {
	Models []modelFacts `json:"models"`
}

func (s *Server) listModels(w http.ResponseWriter, _ *http.Request) *Problem {
	writeJSON(w, http.StatusOK, s.list())
	return nil
}

func (s *Server) list() modelList {
	list := modelList{}
	for _, name := range s.names {
		list.Models = append(list.Models, s.models[name].facts())
	}
	return list
}

func (s *Server) showModel(w http.ResponseWriter, r *http.Request) *Problem {
	h, p := s.model(r.PathValue("name"))
	if p != nil {
		return p
	}
	facts, names := h.details(&s.options)
	jsonHeader(w, http.StatusOK, len(facts)+len(names))
	w.Write(facts)
	w.Write(names)
	return nil
}

// reload answers POST /-/reload: with the models, or a problem that names those that could
// not be read.
func (s *Server) reload(w http.ResponseWriter, _ *http.Request) *Problem {
	if err := s.Reload(); err != nil {
		hint := "the model loaded before still serves"
		if changed := (*shapeError)(nil); errors.As(err, &changed) {
			hint += "; with --reload any the server accepts the new model"
		}
		return problem(http.StatusConflict, "reload-refused", "%v", err).hint("%s", hint)
	}
	writeJSON(w, http.StatusOK, s.list())
	return nil
}

// state is the answer to /healthz and /readyz.
type state struct {
	Status string       `json:"status"` // ok, ready or draining
	Models []modelState `json:"models,omitempty"`
}

// modelState is the state of a model in /readyz.
type modelState struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Failure *failure `json:"reload_failure"`
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) *Problem {
	writeJSON(w, http.StatusOK, state{Status: "ok"})
	return nil
}

// ready needs no token. Without one it does not say why a reload was refused, since the reason
// names files and quotes them.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) *Problem {
	allowed := s.secrets.allowed(r)
	status, answer := http.StatusOK, state{Status: "ready"}
	if s.draining.Load() {
		status, answer.Status = http.StatusServiceUnavailable, "draining"
	}
	for _, name := range s.names {
		h := s.models[name]
		failed := h.failed.Load()
		if failed != nil && !allowed {
			failed = &failure{failed.At, "shown only with a token"}
		}
		answer.Models = append(answer.Models, modelState{name, h.current.Load().version, failed})
	}
	writeJSON(w, status, answer)
	return nil
}
