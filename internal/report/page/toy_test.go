package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"pairrank/internal/report"
)

// jumps is a document of a kind that no package knows: the best jumps of some people.
type jumps struct {
	People []jumper `json:"people"` // the best first
	Judges int      `json:"judges,omitempty"`
}

type jumper struct {
	Name   string  `json:"name"`
	Metres float64 `json:"metres"`
	Judged int     `json:"judged,omitempty"` // by how many judges, if there are any
}

// View says everything once. The column of judges is there or not in one place.
func (d *jumps) View() *report.View {
	v := &report.View{Title: fmt.Sprintf("Jumps of %d people", len(d.People)), Keys: 8}
	v.Facts = []report.Fact{{Key: "longest", Text: d.People[0].Name, Rank: report.Finding},
		{Key: "judges", Text: strconv.Itoa(d.Judges), Rank: report.Stated},
		{Text: "who measured", Rank: report.Detail}}
	t := &report.Table{Caption: "The people by their jumps", Len: len(d.People), NameLast: true, After: len(v.Facts)}
	t.Columns = []report.Column{{Head: "person", Left: true, Files: []string{"name"},
		Cell: func(l int) string { return d.People[l].Name }},
		{Head: "metres", Width: 8, Files: []string{"metres", "feet"},
			Cell: func(l int) string { return fmt.Sprintf("%.2f", d.People[l].Metres) },
			File: func(l int) []string {
				return []string{fmt.Sprint(d.People[l].Metres), fmt.Sprint(d.People[l].Metres / 0.3048)}
			}}}
	if d.Judges > 0 {
		t.Columns = append(t.Columns, report.Column{Head: "judges", Files: []string{"judges"},
			Cell: func(l int) string { return strconv.Itoa(d.People[l].Judged) }})
	}
	t.Point = func(l int) report.Spot { return report.Spot{Value: d.People[l].Metres} }
	v.Tables = []*report.Table{t}
	v.Figures = []*report.Figure{{Title: d.People[0].Name + " jumps farthest", Desc: "A bar for each person.", Table: t,
		Rows: &report.Rows{Label: "metres", Bars: true}}}
	return v
}

// TestKindOfAnother: a document that this package does not know is told, written as a file, drawn and put on a page,
// for one that was made and one that was read; a column that is not there is in none of them.
func TestKindOfAnother(t *testing.T) {
	made := &jumps{[]jumper{{evil, 6.5, 3}, {"b", -0.25, 2}}, 3}
	raw, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	read := &jumps{}
	if err := json.Unmarshal(raw, read); err != nil {
		t.Fatal(err)
	}
	for judges, want := range map[int][2]string{
		3: {"longest  " + evil + "\njudges   3\n         who measured\n\n    metres  judges  person\n" +
			"      6.50       3  " + evil + "\n     -0.25       2  b\n\n",
			"metres\tfeet\tjudges\tname\n6.5\t21.325459317585302\t3\t" + evil + "\n-0.25\t-0.8202099737532808\t2\tb\n"},
		0: {"longest  " + evil + "\njudges   0\n         who measured\n\n    metres  person\n" +
			"      6.50  " + evil + "\n     -0.25  b\n\n",
			"metres\tfeet\tname\n6.5\t21.325459317585302\t" + evil + "\n-0.25\t-0.8202099737532808\tb\n"},
	} {
		for _, d := range []*jumps{made, read} {
			d.Judges = judges
			var text, file bytes.Buffer
			v := d.View()
			if err := v.WriteText(&text); err != nil || text.String() != want[0] {
				t.Errorf("%v: the text is\n%q, want\n%q", err, text.String(), want[0])
			}
			if err := v.Tables[0].WriteTable(&file, '\t'); err != nil || file.String() != want[1] {
				t.Errorf("%v: the file is\n%q, want\n%q", err, file.String(), want[1])
			}
			page := checkPage(t, "jumps", render(t, d))
			figures, rows := page.all("figure"), page.all("tbody")[0].all("tr")
			if len(figures) != 1 || len(rows) != 2 || len(rows[1].all("td")) != len(v.Tables[0].Columns)-1 ||
				rows[1].all("td")[0].String() != "−0.25" {
				t.Errorf("%d figures, rows %v", len(figures), rows)
			}
			if dl := page.all("dl"); len(dl) != 2 || dl[0].all("dd")[0].String() != evil || len(dl[1].all("dd")) != 1 {
				t.Errorf("the facts of the page are %v", dl)
			}
			if _, err := Figure(d, ""); err != nil {
				t.Error(err)
			}
		}
	}
}

// listed is a document of a table that nothing draws.
type listed struct{}

func (listed) View() *report.View {
	return &report.View{Title: "List", Tables: []*report.Table{{Caption: "Names", Len: 2, Columns: []report.Column{
		{Head: "name", Cell: func(l int) string { return []string{"a", "b"}[l] }}}}}}
}

// TestTableWithoutFigure: a table that no figure has is on the page all the same.
func TestTableWithoutFigure(t *testing.T) {
	page := parse(t, render(t, listed{}))
	if rows := page.all("tbody")[0].all("tr"); len(rows) != 2 || len(page.all("svg")) != 0 {
		t.Errorf("%d rows, %d drawings", len(rows), len(page.all("svg")))
	}
}
