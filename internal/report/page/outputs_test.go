package page

import (
	"fmt"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/internal/report"
)

// Each of several outputs has its choice and interval in a table of the page, as on the terminal.
func TestChoicesOfOutputs(t *testing.T) {
	p := problem(t, 60, 12)
	p.Labels = data.NewDense(60, 2, nil)
	for i := range 60 {
		p.Labels.Row(i)[0], p.Labels.Row(i)[1] = p.Set.Y[i], float64(i%5)
	}
	e, err := pairrank.Estimate(t.Context(), p, pairrank.EstimateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d := report.NewEstimate(e, "rankrls", report.About{})
	tables := checkPage(t, "outputs", render(t, d)).all("table")
	var rows [][]string
	for _, table := range tables {
		if table.all("caption")[0].String() != "The choice for each output" {
			continue
		}
		for _, row := range table.all("tbody")[0].all("tr") {
			cells := []string{row.all("th")[0].String()}
			for _, c := range row.all("td") {
				cells = append(cells, c.String())
			}
			rows = append(rows, cells)
		}
	}
	if len(rows) != 2 {
		t.Fatalf("rows %q", rows)
	}
	for k, o := range d.Outputs {
		to := func(v report.Number) string { return fmt.Sprintf("%.3f", float64(v)) } // the least ± is 0.032
		if ci := o.Best.CI95; ci == nil || rows[k][3] != to(o.Best.Error) || rows[k][4] != to(o.Best.StdErr) ||
			rows[k][5] != to(ci[0])+" to "+to(ci[1]) {
			t.Errorf("row %q of %+v", rows[k], o.Best)
		}
	}
}
