package page

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pairrank/comparison"
	"pairrank/data"
	"pairrank/format/table"
	"pairrank/internal/report"
)

// races is a kind of data that no package knows: who came in at which place of which race. A race is a query, a runner
// the id of a row, the place its label. Who came in before another one has beaten them.
type races struct {
	File    string   `json:"file"`
	Races   int      `json:"races"`
	Runners []runner `json:"runners"` // the best first
	Sure    bool     `json:"sure"`    // there are intervals
}

type runner struct {
	Name   string  `json:"name"`
	Score  float64 `json:"score"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	RankLo int     `json:"rank_lo"`
	RankHi int     `json:"rank_hi"`
}

// readRaces reads races from a table or from JSON.
func readRaces(path string) (*data.Set, error) {
	options := table.Options{Label: "place", QID: "race", ID: "runner"}
	if strings.HasSuffix(path, ".csv") {
		return table.ReadSet(path, options)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return table.ReadJSONLines(f, path, options)
}

// rankRaces ranks the runners by who beat whom; a race is what is independent.
func rankRaces(ctx context.Context, path string) (*races, error) {
	set, err := readRaces(path)
	if err != nil {
		return nil, err
	}
	p := &comparison.Problem{}
	number := map[string]int{}
	for _, name := range set.IDs {
		if _, known := number[name]; !known {
			number[name] = len(p.Items)
			p.Items = append(p.Items, name)
		}
	}
	for race := range set.Queries.Len() {
		p.Clusters = append(p.Clusters, set.Queries.ID(race))
		rows := set.Queries.Part(race)
		for _, i := range rows {
			for _, j := range rows {
				if set.Y[i] < set.Y[j] {
					p.Lines = append(p.Lines, comparison.Line{Left: number[set.IDs[i]], Right: number[set.IDs[j]],
						Wins: 1, Annotator: -1, Stratum: -1, Cluster: race})
				}
			}
		}
	}
	ranking, err := comparison.Rank(ctx, *p, comparison.RankOptions{})
	if err != nil {
		return nil, err
	}
	d := &races{File: path, Races: set.Queries.Len(), Sure: ranking.Variance != nil}
	for _, i := range ranking.Items() {
		d.Runners = append(d.Runners, runner{i.Name, i.Value, i.Lo, i.Hi, i.RankLo, i.RankHi})
	}
	return d, nil
}

// View says what is known of the races, once.
func (d *races) View() *report.View {
	v := &report.View{Title: "Races", Keys: 8, Facts: []report.Fact{
		{Key: "fastest", Text: d.Runners[0].Name, Rank: report.Finding},
		{Key: "races", Text: fmt.Sprint(d.Races), Rank: report.Stated}}}
	of := func(k int) *runner { return &d.Runners[k] }
	t := &report.Table{Caption: "The runners by score", Len: len(d.Runners), After: len(v.Facts)}
	t.Columns = []report.Column{
		{Head: "runner", Left: true, Files: []string{"runner"}, Cell: func(k int) string { return of(k).Name }},
		{Head: "score", Width: 7, Files: []string{"score"},
			Cell: func(k int) string { return fmt.Sprintf("%.3f", of(k).Score) }}}
	if d.Sure {
		t.Columns = append(t.Columns, report.Column{Head: "ranks", Files: []string{"rank_lo", "rank_hi"},
			Cell: func(k int) string { return fmt.Sprintf("%d–%d", of(k).RankLo, of(k).RankHi) },
			File: func(k int) []string { return []string{fmt.Sprint(of(k).RankLo), fmt.Sprint(of(k).RankHi)} }})
	}
	t.Point = func(k int) report.Spot { return report.Spot{Value: of(k).Score, Lo: of(k).Lo, Hi: of(k).Hi} }
	v.Tables = []*report.Table{t}
	v.Figures = []*report.Figure{{Name: report.ScoresFigure, Title: d.Runners[0].Name + " is the fastest",
		Desc: "A point for each runner.", Table: t, Rows: &report.Rows{Label: "score"}}}
	return v
}

// TestNewKindOfData: a kind of data that no package knows is read from CSV and from JSON, ranked, told, written as a
// file, drawn and put on a page, by the code above.
func TestNewKindOfData(t *testing.T) {
	csv, lines := []string{"race,runner,place"}, []string{}
	for race := range 12 {
		order := []string{"ann", "bob", "eve", "kim"}
		if race%4 == 0 {
			order[0], order[1] = order[1], order[0]
		}
		if race%3 == 0 {
			order[2], order[3] = order[3], order[2]
		}
		if race%6 == 1 {
			order[1], order[2] = order[2], order[1]
		}
		for place, name := range order {
			csv = append(csv, fmt.Sprintf("r%d,%s,%d", race, name, place+1))
			lines = append(lines, fmt.Sprintf(`{"race": "r%d", "runner": %q, "place": %d}`, race, name, place+1))
		}
	}
	var documents []string
	for _, of := range [][2]string{{"races.csv", strings.Join(csv, "\n")}, {"races.jsonl", strings.Join(lines, "\n")},
		{"races.json", "[" + strings.Join(lines, ",\n") + "]"}} {
		path := filepath.Join(t.TempDir(), of[0])
		if err := os.WriteFile(path, []byte(of[1]), 0o666); err != nil {
			t.Fatal(err)
		}
		d, err := rankRaces(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		d.File = ""
		document, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, string(document))
	}
	if documents[1] != documents[0] || documents[2] != documents[0] {
		t.Errorf("CSV and JSON differ:\n%s", strings.Join(documents, "\n"))
	}
	d := &races{}
	if err := json.Unmarshal([]byte(documents[0]), d); err != nil {
		t.Fatal(err)
	}
	best := slices.MaxFunc(d.Runners, func(a, b runner) int { return cmp.Compare(a.Score, b.Score) })
	if best.Name != "ann" || !d.Sure || best.RankLo != 1 {
		t.Errorf("the best is %+v", best)
	}
	var text, file bytes.Buffer
	v := d.View()
	if err := v.WriteText(&text); err != nil || !strings.Contains(text.String(), "fastest  ann\nraces    12\n") ||
		!strings.Contains(text.String(), "runner    score  ranks") {
		t.Errorf("%v: the text is\n%s", err, &text)
	}
	if err := v.Tables[0].WriteTable(&file, '\t'); err != nil ||
		!strings.HasPrefix(file.String(), "runner\tscore\trank_lo\trank_hi\nann\t") {
		t.Errorf("%v: the file is\n%s", err, &file)
	}
	page := checkPage(t, "races", render(t, d))
	if rows := page.all("tbody")[0].all("tr"); len(page.all("figure")) != 1 || len(rows) != 4 {
		t.Errorf("%d figures, %d rows", len(page.all("figure")), len(rows))
	}
	if svg, err := Figure(d, report.ScoresFigure); err != nil || strings.Count(svg, `class="bar s`) != 4 {
		t.Errorf("%v: the figure is\n%s", err, svg)
	}
}
