// Package page makes one HTML file of documents of package report: figures, the tables of their numbers, and
// what they show in words. The file needs no script and no other file, and is readable on light and on dark
// ground.
//
// html/template escapes by context. It adds 3 MB to the program, since its reflection keeps methods that nothing
// calls; a page written by hand would not have that guarantee.
package page

import (
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"io"
	"regexp"
	"strings"
	"sync"

	"pairrank/internal/figure"
	"pairrank/internal/report"
)

// Page is a report of documents, in the order in which they were added.
type Page struct {
	title    string
	sections []*section
}

// New is an empty page with a title, in O(1).
func New(title string) *Page { return &Page{title: title} }

// section is the part of a page about one document.
type section struct {
	title   string
	found   [][2]string // the findings, in at most three lines
	facts   [][2]string
	notes   []string
	figures []*item
	next    *section // about the same document, or nil
}

// item is a figure with its numbers.
type item struct {
	figure.Drawing
	kind  string // the name for drawing it alone
	text  []string
	table table
	tests *table // a second table, such as of p-values, or nil
	left  string // what figure and table leave out, or ""
}

// table is the numbers of a figure.
type table struct {
	caption string
	head    []string
	rows    [][]string
	mark    int // the marked row, from 1; 0 is none
}

// Add adds a document: a *report.Training, *report.Estimate, *report.Relation, *report.Comparison, *report.Comparisons,
// *report.Evaluation, *report.Inspection, *report.NodeRanking, *report.Calibration, *report.NodeScores or
// *report.Leaderboard, whether it was made or read by report.Read. name says where the document is from. Figures of
// many numbers are thinned, and the page says what they leave out. The cost is that of sorting the numbers of the
// document. Add returns an error for a document of another kind.
func (p *Page) Add(name string, document any) error {
	s, err := sectionOf(document)
	if err != nil {
		return err
	}
	for ; s != nil; s = s.next {
		if name != "" {
			s.title += ": " + name
		}
		p.sections = append(p.sections, s)
	}
	return nil
}

// Names of figures for the function Figure.
const (
	ErrorFigure      = "error"      // over λ or rounds
	MetricFigure     = "metric"     // that chose, over λ
	ROCFigure        = "roc"        // if the estimate has the curve
	PrecisionFigure  = "precision"  // over recall, if the estimate has the ROC curve
	RowsFigure       = "rows"       // with most pairs in the wrong order, if the estimate has them
	LearningFigure   = "learning"   // if the estimate has the curve
	ImportanceFigure = "importance" // if the estimate has it
	FeaturesFigure   = "features"   // that were selected, if rounds selected again
	DifferenceFigure = "difference" // of comparisons, by metric
	QueriesFigure    = "queries"    // of comparisons and evaluations, by query
	ScoresFigure     = "scores"     // of leaderboards
	AnnotatorsFigure = "annotators" // of leaderboards that have them
	TrianglesFigure  = "triangles"  // of leaderboards, if they have any
)

// Figure returns one figure of a document as an SVG file: the first with the name. With name "" it is the main
// figure: the error over λ of trainings and estimates, the differences of comparisons, else the first. It
// returns an error for a document without that figure, or of a kind that Add does not know. It costs as much as
// Add.
func Figure(document any, name string) (svg string, err error) {
	s, err := sectionOf(document)
	if err != nil {
		return "", err
	}
	for _, i := range s.figures {
		if name == "" || i.kind == name {
			return i.SVG(), nil
		}
	}
	if name == "" {
		return "", fmt.Errorf("%s has nothing that a figure shows", s.title)
	}
	return "", fmt.Errorf("%s has no figure %s", s.title, name)
}

// sectionOf is the section about a document.
func sectionOf(document any) (s *section, err error) {
	defer func() {
		if d, ok := document.(interface{ AllNotes() []report.Note }); ok && s != nil {
			s.tell(d.AllNotes())
		}
	}()
	switch d := document.(type) {
	case *report.Training:
		return ofTraining(d), nil
	case *report.Estimate:
		return ofEstimate(d), nil
	case *report.Relation:
		return ofRelation(d), nil
	case *report.Comparison:
		return ofComparison(d), nil
	case *report.Comparisons:
		return ofComparisons(d), nil
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
	case *report.Leaderboard:
		return ofLeaderboard(d), nil
	}
	return nil, fmt.Errorf("a %T has no figures", document)
}

// fact adds a line of facts, unless its text is empty.
func (s *section) fact(name, format string, args ...any) {
	s.facts = append(s.facts, [2]string{name, fmt.Sprintf(format, args...)})
}

// columns adds the columns of a table that are not features.
func (s *section) columns(c *report.Columns) {
	if c != nil {
		s.fact("columns", "%s", c)
	}
}

// find adds a line of findings.
func (s *section) find(name, format string, args ...any) {
	s.found = append(s.found, [2]string{name, fmt.Sprintf(format, args...)})
}

// tell adds what the run of the document told: all doubts, and the decisions of learning, which have a code.
func (s *section) tell(notes []report.Note) {
	for _, n := range notes {
		if n.Text != "" && (n.Warning || n.Code != "") {
			s.notes = append(s.notes, strings.ToUpper(n.Text[:1])+n.Text[1:]+".")
		}
	}
}

// add adds a figure of a kind, unless it is nil.
func (s *section) add(kind string, i *item) {
	if i != nil {
		i.kind = kind
		s.figures = append(s.figures, i)
	}
}

//go:embed page.html
var pageText string

// pageTemplate is parsed when the first page is written: every command of the program imports this package, and
// few write a page.
var pageTemplate = sync.OnceValue(func() *template.Template {
	option := regexp.MustCompile("--[a-z][a-z-]*")
	// unbroken is a text whose options do not break after their hyphens.
	unbroken := func(text string) template.HTML {
		return template.HTML(option.ReplaceAllString(html.EscapeString(text), `<span class="option">$0</span>`))
	}
	return template.Must(template.New("page").Funcs(template.FuncMap{"unbroken": unbroken}).Parse(pageText))
})

// view, sectionView and itemView are the data of the template.
type view struct {
	Title    string
	Style    template.CSS
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
	SVG         template.HTML // whose texts package figure has escaped
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
	v := view{Title: figure.Visible(p.title), Style: template.CSS(figure.Style())}
	number := 0
	for _, s := range p.sections {
		sv := sectionView{Title: figure.Visible(s.title), Found: visiblePairs(s.found), Facts: visiblePairs(s.facts),
			Notes: visible(s.notes)}
		for _, i := range s.figures {
			number++
			sv.Items = append(sv.Items, i.view(fmt.Sprintf("figure%d", number)))
		}
		v.Sections = append(v.Sections, sv)
	}
	return pageTemplate().Execute(w, v)
}

// view is a figure with its tables.
func (i *item) view(id string) itemView {
	v := itemView{Title: figure.Visible(i.Title), Left: figure.Visible(i.left), SVG: template.HTML(i.Inline(id)),
		Text: visible(i.text)}
	v.Short = len(i.table.rows) <= shortTable
	v.Tables = append(v.Tables, i.table.view(id+"-numbers"))
	if i.tests != nil {
		v.Tables = append(v.Tables, i.tests.view(id+"-tests"))
	}
	return v
}

// Tables with more columns than these become lists of names and numbers on narrower screens. The style sheet
// has the widths of the classes.
const (
	someColumns, manyColumns, mostColumns = 4, 6, 12
)

// view is a table with the head of each cell.
func (t *table) view(id string) tableView {
	v := tableView{ID: id, Caption: figure.Visible(t.caption), Head: visible(t.head)}
	switch n := len(t.head); {
	case n > mostColumns:
		v.Wide = "most"
	case n > manyColumns:
		v.Wide = "many"
	case n > someColumns:
		v.Wide = "some"
	}
	for k, row := range t.rows {
		row = visible(row)
		rv := rowView{Name: row[0], Mark: k+1 == t.mark}
		for j, cell := range row[1:] {
			rv.Cells = append(rv.Cells, [2]string{v.Head[j+1], cell})
		}
		v.Rows = append(v.Rows, rv)
	}
	return v
}

// visiblePairs makes lines of a name and a text visible.
func visiblePairs(lines [][2]string) (out [][2]string) {
	for _, line := range lines {
		out = append(out, [2]string(visible(line[:])))
	}
	return out
}

// visible makes texts visible as the drawings do: a name cannot turn the direction of the text around it.
func visible(texts []string) []string {
	out := make([]string, len(texts))
	for k, text := range texts {
		out[k] = figure.Visible(text)
	}
	return out
}
