package source

import (
	"cmp"
	_ "embed"
	"html"
	"io"
	"strings"

	"pairrank/internal/pasted"
	"pairrank/model"
)

// defaultTitle is the default title of the page.
const defaultTitle = "Rank"

// page is the page without the model: {{title}}, {{about}}, {{module}} and {{letor}} stand in it.
//
//go:embed page.html
var page string

// WriteHTML writes a page that ranks pasted rows in the browser: no server, no network and no other
// file. Its script is the module of WriteJavaScript and the code that reads and shows rows. For a
// model it cannot hold it returns a *fault.RefusedError.
func WriteHTML(w io.Writer, m *model.Model, name string) ([]string, error) {
	r, err := newRanker("html", m)
	if err != nil {
		return nil, err
	}
	text, err := module(m, r)
	if err != nil {
		return nil, err
	}
	_, err = strings.NewReplacer(
		"{{title}}", html.EscapeString(cmp.Or(name, defaultTitle)),
		"{{about}}", html.EscapeString("The model is "+r.about()+"."),
		"{{module}}", text,
		"{{letor}}", pasted.Letor,
	).WriteString(w, page)
	return nil, err
}
