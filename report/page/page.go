// Package page makes one HTML file of documents of package report: figures with their
// numbers in tables beside them, and what they say in words. The file needs nothing else,
// neither a script nor another file, and is readable on light and on dark ground.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sync"

	"pairrank/internal/figure"
	"pairrank/report"
)

// Page is a report of documents, in the order in which they were added.
type Page struct {
	title    string
	sections []*section
}

// New is an empty page with a title, in O(1).
func New(title string) *Page { return &Page{title: title} }

// section is what is told of one document.
type section struct {
	title   string
	facts   [][2]string
	notes   []string
	figures []*item
}

// item is a figure with its numbers.
type item struct {
	figure.Drawing
	text  []string
	table table
	left  string // what is left out of figure and table, or ""
}

// table is the numbers of a figure.
type table struct {
	caption string
	head    []string
	rows    [][]string
	mark    int // the row that is meant, from 1; 0 is none
}

// Add adds a document: a *report.Training, *report.Estimate, *report.Relation,
// *report.Comparison, *report.Evaluation, *report.Inspection, *report.NodeRanking,
// *report.Calibration or *report.NodeScores, made here or read by report.Read. name says
// where it is from. Figures of many numbers are thinned, and the page says what is left out;
// the cost is that of sorting the numbers of the document. It returns an error for a
// document of another kind.
func (p *Page) Add(name string, document any) error {
	s, err := sectionOf(document)
	if err != nil {
		return err
	}
	if name != "" {
		s.title += ": " + name
	}
	p.sections = append(p.sections, s)
	return nil
}

// Main is the main figure of a document alone, as an SVG file: of trainings and estimates
// the error over λ, of comparisons the differences, else the first. It returns an error for
// a document that has none, or of a kind that Add does not know. It costs what Add does.
func Main(document any) (svg string, err error) {
	s, err := sectionOf(document)
	if err != nil {
		return "", err
	}
	if len(s.figures) == 0 {
		return "", fmt.Errorf("%s has nothing that a figure shows", s.title)
	}
	return s.figures[0].SVG(), nil
}

// sectionOf is what is told of a document.
func sectionOf(document any) (*section, error) {
	switch d := document.(type) {
	case *report.Training:
		return ofTraining(d), nil
	case *report.Estimate:
		return ofEstimate(d), nil
	case *report.Relation:
		return ofRelation(d), nil
	case *report.Comparison:
		return ofComparison(d), nil
	case *report.Evaluation:
		return ofEvaluation(d), nil
	case *report.Inspection:
		return ofInspection(d), nil
	case *report.NodeRanking:
		return ofNodeRanking(d), nil
	case *report.Calibration:
		return ofCalibration(d), nil
	case *report.NodeScores:
		return ofNodeScores(d), nil
	}
	return nil, fmt.Errorf("a %T has no figures", document)
}

// fact adds a line of what is told, where there is something.
func (s *section) fact(name, format string, args ...any) {
	s.facts = append(s.facts, [2]string{name, fmt.Sprintf(format, args...)})
}

// add adds a figure, unless it is nil.
func (s *section) add(i *item) {
	if i != nil {
		s.figures = append(s.figures, i)
	}
}

//go:embed page.html
var pageText string

// pageTemplate is parsed when the first page is written: every command of the program
// imports this package, and few write a page.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageText))
})

// view, sectionView and itemView are what the template writes.
type view struct {
	Title    string
	Style    template.CSS
	Sections []sectionView
}

type sectionView struct {
	Title string
	Facts [][2]string
	Notes []string
	Items []itemView
}

type itemView struct {
	ID, Title, Left string
	SVG             template.HTML // whose texts package figure has escaped
	Text            []string
	Caption         string
	Head            []string
	Rows            []rowView
	Short           bool // the table is open
}

type rowView struct {
	Name  string
	Cells []string
	Mark  bool
}

// shortTable is how many rows of a table are shown without opening it.
const shortTable = 12

// Write writes the page. The same documents give the same bytes. It returns the errors of
// w. The cost is that of the page, some 10 kB for each figure.
func (p *Page) Write(w io.Writer) error {
	v := view{Title: figure.Visible(p.title), Style: template.CSS(figure.Style())}
	number := 0
	for _, s := range p.sections {
		sv := sectionView{Title: figure.Visible(s.title), Notes: visible(s.notes)}
		for _, f := range s.facts {
			sv.Facts = append(sv.Facts, [2]string(visible(f[:])))
		}
		for _, i := range s.figures {
			number++
			id := fmt.Sprintf("figure%d", number)
			iv := itemView{ID: id, Title: figure.Visible(i.Title), Left: figure.Visible(i.left), SVG: template.HTML(i.Inline(id)), Text: visible(i.text),
				Caption: figure.Visible(i.table.caption), Head: visible(i.table.head), Short: len(i.table.rows) <= shortTable}
			for k, row := range i.table.rows {
				row = visible(row)
				iv.Rows = append(iv.Rows, rowView{row[0], row[1:], k+1 == i.table.mark})
			}
			sv.Items = append(sv.Items, iv)
		}
		v.Sections = append(v.Sections, sv)
	}
	return pageTemplate().Execute(w, v)
}

// visible are texts as the drawings have them: a name cannot turn the text around it.
func visible(texts []string) []string {
	out := make([]string, len(texts))
	for k, text := range texts {
		out[k] = figure.Visible(text)
	}
	return out
}
