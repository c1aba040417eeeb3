package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"pairrank/internal/report"
)

// render is the page of one document.
func render(t *testing.T, document report.Document) string {
	t.Helper()
	p := New("title " + evil)
	if err := p.Add(evil, document); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if want := templated(t, p); b.String() != want {
		t.Fatalf("%T: the page is not that of html/template, which is:\n%s\nnot:\n%s", document, want, &b)
	}
	return b.String()
}

// element is an element of a page with its content.
type element struct {
	name     string
	attr     map[string]string
	children []*element
	text     strings.Builder
}

// parse reads a page as XML in which void elements need no end tag.
func parse(t *testing.T, text string) *element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	stack := []*element{{}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return stack[0]
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		top := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			top.children, stack = append(top.children, e), append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			for _, e := range stack {
				e.text.Write(token)
			}
		}
	}
}

// all are the elements of a name within e.
func (e *element) all(name string) (found []*element) {
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
		}
		found = append(found, c.all(name)...)
	}
	return found
}

func (e *element) String() string { return strings.TrimSpace(e.text.String()) }

// checkPage checks what holds for every page. It contains nothing from elsewhere and no script. Each figure has
// a drawing with a title and a description, and a table with every number that the drawing shows to a pointer.
func checkPage(t *testing.T, name, text string) *element {
	t.Helper()
	for _, bad := range []string{"http:", "https:", "<script", "javascript:", "src=",
		"href=", "url(", "@import", "NaN", "Inf", "ZgotmplZ", "%!"} {
		if strings.Contains(text, bad) {
			t.Errorf("%s: the page has %s", name, bad)
		}
	}
	page := parse(t, text)
	ids := map[string]bool{}
	var walk func(e *element)
	walk = func(e *element) {
		if id := e.attr["id"]; id != "" && ids[id] {
			t.Errorf("%s: the id %s is there twice", name, id)
		} else {
			ids[id] = true
		}
		for _, c := range e.children {
			walk(c)
		}
	}
	walk(page)
	for _, f := range page.all("figure") {
		checkFigure(t, name, f, ids)
	}
	return page
}

func checkFigure(t *testing.T, name string, f *element, ids map[string]bool) {
	t.Helper()
	drawings, tables := f.all("svg"), f.all("table")
	if len(drawings) != 1 || len(tables) < 1 {
		t.Fatalf("%s: a figure has %d drawings and %d tables", name, len(drawings), len(tables))
	}
	svg := drawings[0]
	for _, id := range strings.Fields(svg.attr["aria-labelledby"]) {
		if !ids[id] {
			t.Errorf("%s: there is no %s", name, id)
		}
	}
	if svg.attr["role"] != "img" || svg.children[0].name != "title" || svg.children[0].String() == "" ||
		svg.children[1].name != "desc" || svg.children[1].String() == "" {
		t.Errorf("%s: a drawing without a role, a title or a description", name)
	}
	numbers := map[string][]string{}
	for _, table := range tables {
		for key, list := range numbersOf(t, name, table) {
			numbers[key] = append(numbers[key], list...)
		}
	}
	says := 0
	for _, tip := range svg.all("title")[1:] {
		at := strings.LastIndex(tip.String(), ": ")
		if at < 0 {
			continue // the name of a horizontal line
		}
		says++
		if key, number := tip.String()[:at], tip.String()[at+2:]; !slices.Contains(numbers[key], number) {
			t.Errorf("%s: the drawing says %q, and the table has %q", name, tip, numbers[key])
		}
	}
	if says == 0 {
		t.Errorf("%s: the drawing %q says no number", name, svg.children[0])
	}
}

// numbersOf returns the numbers of a table: those of each row by its name, and each by the names of its row and
// column.
func numbersOf(t *testing.T, name string, table *element) map[string][]string {
	t.Helper()
	heads, numbers := table.all("thead")[0].all("th"), map[string][]string{}
	for _, row := range table.all("tbody")[0].all("tr") {
		key, cells := row.all("th")[0].String(), row.all("td")
		if len(cells)+1 != len(heads) {
			t.Fatalf("%s: a row of %d cells below %d heads", name, len(cells)+1, len(heads))
		}
		for j, c := range cells {
			if c.attr["data-head"] != heads[j+1].String() {
				t.Errorf("%s: the cell below %s says that it is of %s", name, heads[j+1], c.attr["data-head"])
			}
			of := key + ", " + heads[j+1].String()
			numbers[key], numbers[of] = append(numbers[key], c.String()), append(numbers[of], c.String())
		}
	}
	return numbers
}

// Pages of every document are complete.
func TestPages(t *testing.T) {
	for name, d := range documents(t) {
		text := render(t, d)
		checkPage(t, name, text)
		if again := render(t, d); again != text {
			t.Errorf("%s: a second page differs", name)
		}
		if !strings.Contains(text, "&lt;script&gt;") {
			t.Errorf("%s: the name is not there", name)
		}
	}
}

// Each document has its figures, recognised by the numbers in their titles.
func TestFigures(t *testing.T) {
	d := documents(t)
	for name, want := range map[string][]string{
		"queries":       {"Chosen by ndcg@10: λ = ", "ndcg@10 at the choice"},
		"list":          nil,
		"queries model": {"The largest weight is that of " + evil},
		"boost":         {"The held-out error is least at "},
		"boost model":   {"Among 3 stumps, those of "},
		"kernels":       {"The held-out error is least at gaussian:gamma="},
		"kernels model": nil,
		"outputs":       {"Each of 2 outputs has its own λ; the least error is "},
		"outputs model": {"The weights of output 1 of 2"},
		"estimate": {"The held-out error is least at λ = ", "The area under the ROC curve is ",
			"The average precision is ", evil + " is in the wrong order most often: in ", "From 20 to 40 rows the error ",
			evil + " is the most important feature: without it the error is worse by ",
			"The most frequent choice came up in "},
		"comparison": {" of 3 differences are significant at 95 %", "The areas under the 2 ROC curves",
			"ndcg: A is better on ",
			"disagreement: A is better on ", "map: A is better on "},
		"several": {"ndcg: ", "disagreement: "},
		"evaluation": {"ndcg of A is ", "The area under the ROC curve is ", "ndcg of A of a query ranges from ",
			"disagreement of A of a query",
			"map of A of a query"},
		"calibration":   {" of the pairs with the smallest score differences "},
		"edges":         {"The held-out error is least at λ = "},
		"edges trained": {"The held-out error is least at λ = "},
		"edges model":   nil,
		"nodes":         {"has the highest score of "},
		"ranking":       {evil + " is ranked first for " + evil},
		"leaderboard":   {" has the highest score, and "},
		"scores":        {" is surely the first"},
	} {
		page := parse(t, render(t, d[name]))
		var got []string
		for _, f := range page.all("h3") {
			got = append(got, f.String())
		}
		if len(got) != len(want) {
			t.Errorf("%s: figures %q, want %q", name, got, want)
			continue
		}
		for k := range want {
			if !strings.Contains(got[k], want[k]) {
				t.Errorf("%s: figure %q, want %q", name, got[k], want[k])
			}
		}
		svg, err := Figure(d[name], "")
		switch {
		case want == nil && err == nil:
			t.Errorf("%s has a main figure", name)
		case want != nil && (err != nil || !strings.Contains(svg, "prefers-color-scheme")):
			t.Errorf("%s: main figure: %v", name, err)
		case want != nil:
			if root := parse(t, svg).children[0]; root.name != "svg" || root.children[0].String() != got[0] {
				t.Errorf("%s: the main figure is %q", name, root.children[0])
			}
		}
	}
}

var update = flag.Bool("update", false, "write testdata/outline.txt anew")

// outline writes the elements below e, as a screen reader and a style sheet see them; equal neighbours are
// counted.
func outline(b *strings.Builder, e *element, depth int) {
	last, count := "", 0
	flush := func() {
		if count > 1 {
			last = strings.Replace(last, "\n", fmt.Sprintf(" × %d\n", count), 1)
		}
		b.WriteString(last)
	}
	for _, c := range e.children {
		var one strings.Builder
		one.WriteString(strings.Repeat("  ", depth) + c.name)
		for _, key := range []string{"role", "scope", "class", "lang", "open", "tabindex"} {
			if v, has := c.attr[key]; has {
				fmt.Fprintf(&one, " %s=%s", key, v)
			}
		}
		one.WriteString("\n")
		outline(&one, c, depth+1)
		if one.String() == last {
			count++
			continue
		}
		flush()
		last, count = one.String(), 1
	}
	flush()
}

// The outline of a page is that of testdata/outline.txt.
func TestOutline(t *testing.T) {
	d, _, _ := ranked(t, 15)
	d.Comparisons = d.Comparisons[:1]
	var b strings.Builder
	outline(&b, parse(t, render(t, d)), 0)
	const golden = "testdata/outline.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the outline is now\n%s", b.String())
	}
}

// A page of many queries is no larger than one of two hundred, and says what it leaves out.
func TestManyQueries(t *testing.T) {
	d, e, _ := ranked(t, 3000)
	small, _, _ := ranked(t, 200)
	text := render(t, d)
	checkPage(t, "many", text)
	if most := 3 * len(render(t, small)) / 2; len(text) > most {
		t.Errorf("%d bytes, more than %d", len(text), most)
	}
	if !strings.Contains(text, " queries. Each of the 200 bars") {
		t.Error("the page does not say what is left out")
	}
	checkPage(t, "many", render(t, e))
}

// Characters that turn the direction of a text, or end a line, are visible and have no effect.
func TestPageIsVisible(t *testing.T) {
	const turned = "a\u202eb\x1bc"
	scores := &report.NodeScores{Model: turned, Rows: []string{turned}, Cols: []string{turned, "d"},
		Scores: [][]float64{{2, 1}}, OfRows: 1, OfCols: 2}
	inspected := &report.Inspection{Facts: report.Facts{Learner: turned}, Data: report.Data{Features: 1}}
	inspected.Weights = []report.InspectedWeight{{Feature: 1, Name: turned, Weights: []float64{1}}}
	p := New(turned)
	for _, d := range []report.Document{scores, inspected} {
		if err := p.Add(turned, d); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.ContainsAny(text, "\u202e\x1b") || strings.Count(text, "a\ufffdb\ufffdc") < 8 {
		t.Errorf("names are not made visible in\n%s", text)
	}
}

// untitled is a document without a page; what is no document, as a number, does not compile.
type untitled struct{}

func (untitled) View() *report.View { return &report.View{} }

// A document without a title has no page.
func TestUnknown(t *testing.T) {
	if err := New("").Add("", untitled{}); err == nil {
		t.Error("a document without a title has a page")
	}
	if _, err := Figure(new(report.Inspection), ""); err == nil {
		t.Error("an empty model has a figure")
	}
	for _, text := range []string{"", "[]", "3", "{}", `{"learner":1,"features":2}`,
		`{"style":"default","rankings":[]}`, `{"style":"default","rankings":[null]}`} {
		if d, err := report.Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s is read as %T", text, d)
		}
	}
}

// A line never ends within the name of an option, and the text around it is escaped.
func TestOptionsAreUnbroken(t *testing.T) {
	p := New("title")
	p.sections = []*report.View{{Title: "section", Facts: []report.Fact{{Key: "command",
		Text: "cv <a> --interval halves --roc -", Rank: report.Stated}}}}
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := `<dd>cv &lt;a&gt; <span class="option">--interval</span> halves <span class="option">--roc</span> -</dd>`
	if !strings.Contains(b.String(), want) {
		t.Errorf("%s is not in\n%s", want, b.String())
	}
}
