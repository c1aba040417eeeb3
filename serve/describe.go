package serve

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// missingTexts say what is done with missing features.
var missingTexts = map[string]string{byModel: "as in training", byError: "an error", byZero: "0"}

// Describe writes the models and limits of the server, one a line: a name and its value. It returns
// the errors of w.
func (s *Server) Describe(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	o := &s.options
	for _, name := range s.names {
		h := s.models[name]
		f, src := h.facts(), h.source
		fmt.Fprintf(t, "model %s\t%s, %s, version %s\n", name, src.File, f.Learner, f.Version)
		if f.Golden != nil {
			path, _ := goldenFile(src)
			fmt.Fprintf(t, "golden scores\t%d of %s, largest difference %.2g of %.2g\n", f.Golden.Scores, path,
				f.Golden.Difference, f.Golden.Tolerance)
		}
		if f.Kind == "pairs" {
			fmt.Fprintf(t, "nodes\t%d of rows, %d of columns\n", f.RowNodes, f.ColNodes)
		}
	}
	choice := func(yes bool, what string) string {
		if yes {
			return what
		}
		return "an error"
	}
	tokens := "not required"
	if list := s.secrets.tokens.Load(); list != nil {
		tokens = fmt.Sprintf("%d in %s", len(*list), o.TokenFile)
	}
	hosts := strings.Join(append([]string{"localhost", "addresses"}, o.Hosts...), ", ")
	if o.TokenFile != "" {
		hosts = "any"
	}
	reloads := "of the same features and outputs"
	if o.Reshape {
		reloads = "any"
	}
	tls := "none"
	if o.CertFile != "" {
		tls = o.CertFile
	}
	for _, line := range [][2]any{
		{"extra features", choice(o.Ignore, "left out")},
		{"missing features", missingTexts[cmp.Or(o.Missing, byModel)]},
		{"reloads", reloads},
		{"tokens", tokens},
		{"names of the host", hosts},
		{"TLS", tls},
		{"bytes of a body", o.MaxBody},
		{"bytes of all requests", o.MaxHeld},
		{"rows of a request", o.MaxRows},
		{"requests scored at a time", o.MaxConcurrent},
		{"requests that wait", fmt.Sprintf("%d, for %v", o.MaxQueue, o.QueueWait)},
		{"requests of an address", bound(o.MaxPerClient)},
		{"timeouts", fmt.Sprintf("header %v, request %v, answer %v, idle %v", o.ReadHeaderTimeout, o.ReadTimeout,
			o.WriteTimeout, o.IdleTimeout)},
		{"drain", o.Drain},
		{"poll", bound(o.Poll)},
	} {
		fmt.Fprintf(t, "%v\t%v\n", line[0], line[1])
	}
	return t.Flush()
}

// bound is a limit for which 0 means none.
func bound[T comparable](v T) any {
	var zero T
	if v == zero {
		return "none"
	}
	return v
}
