// Package page makes one HTML file of documents of package report: figures, the tables of their numbers, and
// what they show in words. The file needs no script and no other file, and is readable on light and on dark
// ground.
//
// html/template, which escapes by context, would add 3 MB to the program, since its reflection keeps methods that
// nothing calls. A reader of the few actions of page.html fills it instead, and the tests fill the same text by
// html/template: every page of theirs, of hostile names too, has the same bytes.
package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"io"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"pairrank/internal/figure"
	"pairrank/internal/report"
)

// Page is a report of documents, in the order in which they were added.
type Page struct {
	title    string
	sections []*report.View
}

// New is an empty page with a title, in O(1).
func New(title string) *Page { return &Page{title: title} }

// Add adds a document. name says where the document is from. Figures of many numbers are thinned, and the page says
// what they leave out. The cost is that of sorting the numbers of the document. Add returns an error for a document
// that has no page.
func (p *Page) Add(name string, document report.Document) error {
	v, err := viewOf(document)
	if err != nil {
		return err
	}
	for ; v != nil; v = v.Next {
		if name != "" {
			v.Title += ": " + name
		}
		p.sections = append(p.sections, v)
	}
	return nil
}

// Figure returns one figure of a document as an SVG file: the first with the name. With name "" it is the main
// figure: the error over λ of trainings and estimates, the differences of comparisons, else the first. It
// returns an error for a document without that figure, or of a kind that Add does not know. It costs as much as
// Add.
func Figure(document report.Document, name string) (svg string, err error) {
	v, err := viewOf(document)
	if err != nil {
		return "", err
	}
	for _, f := range v.Figures {
		if name == "" || f.Name == name {
			return f.Drawing().SVG(), nil
		}
	}
	if name == "" {
		return "", fmt.Errorf("%s has nothing that a figure shows", v.Title)
	}
	return "", fmt.Errorf("%s has no figure %s", v.Title, name)
}

// viewOf is the view of a document that has a page, with what the run of the document told: all doubts, and the
// decisions of learning, which have a code.
func viewOf(document report.Document) (*report.View, error) {
	v := document.View()
	if v.Later != nil {
		v.Later()
	}
	if v.Title == "" {
		return nil, fmt.Errorf("a %T has no figures", document)
	}
	if d, ok := document.(interface{ AllNotes() []report.Note }); ok {
		for _, n := range d.AllNotes() {
			if n.Text != "" && (n.Warning || n.Code != "") {
				v.Notes = append(v.Notes, strings.ToUpper(n.Text[:1])+n.Text[1:]+".")
			}
		}
	}
	return v, nil
}

//go:embed page.html
var pageText string

// pageTemplate is parsed when the first page is written: every command of the program imports this package, and
// few write a page.
var pageTemplate = sync.OnceValue(func() filler {
	fill, _ := (&templates{rest: pageText, named: map[string]filler{}}).parts()
	return fill
})

// options finds the options of the program in a text.
var options = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("--[a-z][a-z-]*") })

// unbroken is a text whose options do not break after their hyphens.
func unbroken(text string) safe {
	return safe(options().ReplaceAllString(html.EscapeString(text), `<span class="option">$0</span>`))
}

// view, sectionView and itemView are the data of the template.
type view struct {
	Title    string
	Style    safe
	Sections []sectionView
}

type sectionView struct {
	Title        string
	Found, Facts [][2]string
	Notes        []string
	Items        []itemView
}

type itemView struct {
	Title, Left string
	SVG         safe // whose texts package figure has escaped
	Text        []string
	Tables      []tableView
	Short       bool // the tables are open
}

type tableView struct {
	ID, Caption string
	Wide        string // the class of tables with so many columns
	Head        []string
	Rows        []rowView
}

type rowView struct {
	Name  string
	Cells [][2]string // each with its head
	Mark  bool
}

// shortTable is the largest number of rows of a table that is open.
const shortTable = 12

// Write writes the page. The same documents give the same bytes. It returns the errors of w. The cost is that
// of the page, some 10 kB for each figure.
func (p *Page) Write(w io.Writer) error {
	var out bytes.Buffer
	pageTemplate()(&out, reflect.ValueOf(p.view()))
	_, err := w.Write(out.Bytes())
	return err
}

// view is the data of the page.
func (p *Page) view() view {
	v := view{Title: figure.Visible(p.title), Style: safe(figure.Style())}
	number := 0
	for _, s := range p.sections {
		sv := sectionView{Title: figure.Visible(s.Title), Notes: visible(s.Notes)}
		sv.Found, sv.Facts = facts(s)
		shown := map[*report.Table]bool{}
		for _, f := range s.Figures {
			number++
			shown[f.Table], shown[f.More] = true, true
			sv.Items = append(sv.Items, figureView(f, fmt.Sprintf("figure%d", number)))
		}
		for _, t := range s.Tables {
			if t.Caption != "" && !shown[t] {
				number++
				sv.Items = append(sv.Items, itemView{Title: figure.Visible(t.Caption),
					Tables: []tableView{newTable(t, fmt.Sprintf("table%d", number))}, Short: true})
			}
		}
		v.Sections = append(v.Sections, sv)
	}
	return v
}

// facts are the findings and the other facts of a page. One without a key has that of the fact before.
func facts(s *report.View) (found, others [][2]string) {
	key := ""
	for _, f := range s.Facts {
		if f.Key != "" {
			key = strings.TrimSpace(f.Key)
		}
		line := [2]string(visible([]string{key, f.Text}))
		switch f.Rank {
		case report.Headline, report.Finding:
			found = append(found, line)
		case report.Stated, report.Aside:
			others = append(others, line)
		}
	}
	return found, others
}

// figureView is a figure with its tables.
func figureView(f *report.Figure, id string) itemView {
	drawing := f.Drawing()
	v := itemView{Title: figure.Visible(f.Title), Left: figure.Visible(strings.TrimSpace(f.Left)),
		SVG: safe(drawing.Inline(id)), Text: visible(f.Text)}
	v.Tables = append(v.Tables, newTable(f.Table, id+"-numbers"))
	v.Short = len(v.Tables[0].Rows) <= shortTable
	if f.More != nil {
		v.Tables = append(v.Tables, newTable(f.More, id+"-tests"))
	}
	return v
}

// Tables with more columns than these become lists of names and numbers on narrower screens. The style sheet
// has the widths of the classes.
const (
	someColumns, manyColumns, mostColumns = 4, 6, 12
)

// newTable is a table with the head of each cell.
func newTable(t *report.Table, id string) tableView {
	v := tableView{ID: id, Caption: figure.Visible(t.Caption), Head: visible(t.PageHead())}
	switch n := len(v.Head); {
	case n > mostColumns:
		v.Wide = "most"
	case n > manyColumns:
		v.Wide = "many"
	case n > someColumns:
		v.Wide = "some"
	}
	for k, row := range t.PageRows() {
		row = visible(row)
		rv := rowView{Name: row[0], Mark: k+1 == t.Mark}
		for j, cell := range row[1:] {
			rv.Cells = append(rv.Cells, [2]string{v.Head[j+1], cell})
		}
		v.Rows = append(v.Rows, rv)
	}
	return v
}

// visible makes texts visible as the drawings do: a name cannot turn the direction of the text around it.
func visible(texts []string) []string {
	out := make([]string, len(texts))
	for k, text := range texts {
		out[k] = figure.Visible(text)
	}
	return out
}
