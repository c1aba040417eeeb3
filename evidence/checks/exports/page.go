package main

import (
	"context"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"

	"pairrank/evidence/papers/experiment"
	"pairrank/export"
)

// playwright is the package that drives Chromium.
const playwright = "playwright-core@1.65.1"

//go:embed page.mjs
var pageScript []byte

// shown is what the script prints.
type shown struct {
	Requests, Errors  []string
	Status, Complaint string
	Left              int
	Ranking           []struct {
		Name  string
		Score float64
		Why   string
	}
}

// pageTable ranks rows in the page. Pictures of both themes are left in $EXPORTS_PICTURES, where
// it is set.
func pageTable(ctx context.Context, s settings) (found experiment.Result, err error) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		found.Text("chromium is not on this machine: the page is skipped.")
		return found, nil
	}
	folder := filepath.Join(s.folder, "page")
	if err := os.Mkdir(folder, 0o777); err != nil {
		return found, err
	}
	if err := install(ctx, folder, playwright); err != nil {
		return found, err
	}
	if err := os.WriteFile(filepath.Join(folder, "page.mjs"), pageScript, 0o666); err != nil {
		return found, err
	}
	cases, err := simpleCases()
	if err != nil {
		return found, err
	}
	pictures := os.Getenv("EXPORTS_PICTURES")
	if pictures == "" {
		pictures = folder
	}
	table := experiment.NewTable("model", "%s", "rows", "%.0f", "in the order of the model", "%s",
		"of each score", "%.1e", "requests", "%.0f")
	for k, c := range cases[:6] { // each has the browser start again
		got, err := showPage(ctx, folder, chromium, filepath.Join(pictures, fmt.Sprintf("page-%d", k)), c)
		if err != nil {
			return found, fmt.Errorf("%s: %w", c.name, err)
		}
		scores, want, order := pageOrder(got, c)
		each, _ := difference(scores, want)
		table.Row(c.name, len(got.Ranking), order, each, len(got.Requests))
		if len(got.Errors) > 0 || got.Left != 0 || got.Complaint == "" {
			return found, fmt.Errorf("%s: errors %v; of a broken row it says %q and shows %d tables",
				c.name, got.Errors, got.Complaint, got.Left)
		}
	}
	found.Text("The page in Chromium, driven by %s: rows are pasted, ranked by the keyboard alone, and a broken row "+
		"is refused.", playwright)
	found.Add(table)
	return found, nil
}

// pageOrder is the scores that the page shows and those of the model for the same rows, and
// whether the rows are in the order of the model.
func pageOrder(got *shown, c rowsCase) (scores, want []float64, order string) {
	at := make([]int, len(c.want))
	for i := range at {
		at[i] = i
	}
	sort.SliceStable(at, func(a, b int) bool { return c.want[at[a]] > c.want[at[b]] })
	order = "yes"
	for k, row := range got.Ranking {
		i, err := strconv.Atoi(row.Name)
		if err != nil || i >= len(c.want) {
			return nil, c.want, "no"
		}
		if i != at[k] {
			order = "no"
		}
		scores, want = append(scores, row.Score), append(want, c.want[i])
	}
	return scores, want, order
}

func showPage(ctx context.Context, folder, chromium, pictures string, c rowsCase) (*shown, error) {
	if err := exported(folder, "page.html", c.m, export.HTML, export.Options{Name: "Papers & patents"}); err != nil {
		return nil, err
	}
	for name, spoil := range map[string]bool{"rows.csv": false, "broken.csv": true} {
		file, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		w := csv.NewWriter(file)
		records := [][]string{append([]string{"row"}, c.m.Names...)}
		for i := range c.x.Rows {
			record := []string{strconv.Itoa(i)}
			for _, v := range c.x.Row(i) {
				record = append(record, strconv.FormatFloat(v, 'g', -1, 64))
			}
			if spoil && i == 2 {
				record[1] = "n/a"
			}
			records = append(records, record)
		}
		if err := w.WriteAll(records); err != nil {
			return nil, err
		}
		if err := file.Close(); err != nil {
			return nil, err
		}
	}
	out, err := run(ctx, folder, "node", "page.mjs", chromium, "page.html", "rows.csv", "broken.csv", pictures)
	if err != nil {
		return nil, err
	}
	got := &shown{}
	return got, json.Unmarshal(out, got)
}
