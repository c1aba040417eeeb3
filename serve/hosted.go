package serve

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"pairrank/model"
)

// hosted is a model that is served, whichever file it came from last.
type hosted struct {
	source  Source
	current atomic.Pointer[loaded]
	failed  atomic.Pointer[failure] // of the last reload, nil where it went well
	reloads atomic.Int64            // that went well

	seen stamps // of the files when they were read last; reload alone looks at it
}

// failure is why a reload kept the serving model.
type failure struct {
	At    time.Time `json:"at"`
	Error string    `json:"error"`
}

// modelFacts are the facts of a model in answers.
type modelFacts struct {
	Name        string       `json:"name"`
	Kind        string       `json:"kind"` // rows or pairs
	Version     string       `json:"version"`
	SHA256      string       `json:"sha256"` // of the text of the model
	Loaded      time.Time    `json:"loaded"`
	Reloads     int64        `json:"reloads"`
	Failure     *failure     `json:"reload_failure"` // null where the last reload went well
	Golden      *goldenFacts `json:"golden"`         // null without golden scores
	Learner     string       `json:"learner"`
	Kernel      string       `json:"kernel"` // "" of stumps; of pairs the pairwise kernel
	Lambda      float64      `json:"lambda"`
	Rows        int          `json:"training_rows"` // of pairs: edges
	Queries     int          `json:"training_queries"`
	Features    int          `json:"features"`    // that a row has; of pairs 0
	First       int          `json:"first_index"` // of the features of a row in LETOR text
	Outputs     int          `json:"outputs"`
	Named       bool         `json:"named"`       // the features have names
	Precomputed bool         `json:"precomputed"` // rows are kernel values with the training rows
	Normalizer  string       `json:"normalizer"`  // "" for none
	RowNodes    int          `json:"row_nodes"`   // of pairs: that can be named
	ColNodes    int          `json:"column_nodes"`
}

// modelBounds are the facts of one model and the limits of its requests.
type modelBounds struct {
	modelFacts
	MaxRows  int   `json:"max_rows"` // of a request
	MaxBytes int64 `json:"max_bytes"`
}

// modelNames are the names that a request may use.
type modelNames struct {
	Names  []string `json:"feature_names"` // null where they have none
	RowIDs []string `json:"row_ids"`       // null of a model of rows
	ColIDs []string `json:"column_ids"`
}

// facts returns the facts of the current model.
func (h *hosted) facts() modelFacts { return h.factsOf(h.current.Load()) }

func (h *hosted) factsOf(l *loaded) modelFacts {
	f := modelFacts{
		Name: h.source.Name, Kind: "rows", Version: l.version, SHA256: l.sum, Loaded: l.at, Reloads: h.reloads.Load(),
		Failure: h.failed.Load(),
		Golden:  l.golden, Outputs: l.outputs(),
	}
	var info *model.Info
	if l.pairs != nil {
		f.Kind, f.Kernel, info = "pairs", string(l.pairs.Kernel), &l.pairs.Info
		f.RowNodes, f.ColNodes = len(l.nodes.rows.ids), len(l.nodes.cols.ids)
	} else {
		m := l.rows
		f.Kernel, f.Features, f.Named, f.Precomputed, info = m.KernelSpec(), l.given,
			l.places != nil, m.Precomputed(), &m.Info
		f.First = info.First()
		if m.Normalizer != nil {
			f.Normalizer = m.Normalizer.Kind
		}
	}
	f.Learner, f.Lambda, f.Rows, f.Queries = info.Learner, info.Lambda, info.Rows, info.Queries
	return f
}

// details returns the facts and names of the model as text, in two parts. The second belongs to the
// model, so that no request holds names.
func (h *hosted) details(o *Options) (facts, names []byte) {
	l := h.current.Load()
	facts, err := json.Marshal(modelBounds{h.factsOf(l), o.MaxRows, o.MaxBody})
	if err != nil {
		panic(err) // facts, which are finite
	}
	facts[len(facts)-1] = ','
	return facts, l.names
}

// namesText is the text of the names of a model behind its facts.
func (l *loaded) namesText() []byte {
	var n modelNames
	if l.pairs != nil {
		n.RowIDs, n.ColIDs = l.nodes.rows.ids, l.nodes.cols.ids
	} else if l.places != nil {
		n.Names = l.called
	}
	text, err := json.Marshal(n)
	if err != nil {
		panic(err) // texts
	}
	return append(text[1:], '\n')
}

// read loads the files again and replaces the model, or keeps the serving one and records why.
func (h *hosted) read(lim limits) error {
	h.seen = stampsOf(h.source) // before they are read: a later change is seen then
	l, err := load(h.source, lim, h.current.Load())
	if err != nil {
		err = fmt.Errorf("model %s: %w", h.source.Name, err)
		h.failed.Store(&failure{time.Now(), err.Error()})
		return err
	}
	h.current.Store(l)
	h.failed.Store(nil)
	return nil
}
