package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/export"
)

// reader is a program that runs an export and returns the scores of rows.
type reader struct {
	name, program string
	scores        func(ctx context.Context, folder string, c rowsCase) ([]float64, error)
}

func sourceTable(ctx context.Context, s settings) (experiment.Result, error) {
	return readersTable(ctx, s, []reader{{"Go, compiled", "go", byGo}, {"JavaScript, node", "node", byNode},
		{"SQL, sqlite3", "sqlite3", bySQLite}}, "")
}

// readersTable has the models read by each reader that is on the machine: those of a kind, or all where it is "".
func readersTable(ctx context.Context, s settings, readers []reader,
	only string) (found experiment.Result, err error) {
	cases, err := simpleCases()
	if err != nil {
		return found, err
	}
	var t tally
	for _, r := range readers {
		if _, err := exec.LookPath(r.program); err != nil {
			found.Text("%s is not on this machine: %s is skipped.", r.program, r.name)
			continue
		}
		for k, c := range cases {
			if !strings.HasPrefix(c.name, only) {
				continue
			}
			folder := filepath.Join(s.folder, fmt.Sprintf("%s-%d", r.program, k))
			if err := os.Mkdir(folder, 0o777); err != nil {
				return found, err
			}
			got, err := r.scores(ctx, folder, c)
			if err != nil {
				return found, fmt.Errorf("%s, %s: %w", r.name, c.name, err)
			}
			kind, _, _ := strings.Cut(c.name, ",")
			if strings.Contains(c.name, "around") {
				kind += ", features around 10000"
			}
			t.add(r.name+", "+c.name, got, c.want, r.name, kind)
		}
	}
	found.Add(t.table("reader", "models of"))
	return found, errors.Join(t.missed...)
}

// jsonRows is the rows as a list of lists.
func jsonRows(x *data.Dense) ([]byte, error) {
	rows := make([][]float64, x.Rows)
	for i := range rows {
		rows[i] = x.Row(i)
	}
	return json.Marshal(rows)
}

// byGo compiles the source as a package of a module that requires nothing.
func byGo(ctx context.Context, folder string, c rowsCase) ([]float64, error) {
	rows, err := jsonRows(c.x)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(filepath.Join(folder, "ranker"), 0o777); err != nil {
		return nil, err
	}
	const program = `package main

import (
	"encoding/json"
	"os"

	"scores/ranker"
)

func main() {
	var rows [][]float64
	if err := json.NewDecoder(os.Stdin).Decode(&rows); err != nil {
		panic(err)
	}
	scores := make([]float64, len(rows))
	for i, row := range rows {
		scores[i] = ranker.Score(row)
	}
	if err := json.NewEncoder(os.Stdout).Encode(scores); err != nil {
		panic(err)
	}
}
`
	for name, text := range map[string]string{"go.mod": "module scores\n\ngo 1.21\n", "main.go": program} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	if err := exported(folder, "ranker/ranker.go", c.m, export.Go, export.Options{}); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", ".")
	cmd.Dir, cmd.Stdin, cmd.Stderr = folder, bytes.NewReader(rows), os.Stderr
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	return numbersOf(cmd.Output())
}

// byNode imports the module.
func byNode(ctx context.Context, folder string, c rowsCase) ([]float64, error) {
	rows, err := jsonRows(c.x)
	if err != nil {
		return nil, err
	}
	if err := exported(folder, "model.mjs", c.m, export.JavaScript, export.Options{}); err != nil {
		return nil, err
	}
	const program = `import { readFileSync } from "node:fs";
import { score, names, contributions } from "./model.mjs";
const scores = JSON.parse(readFileSync(0, "utf8")).map((row) => {
  const byName = score(Object.fromEntries(row.map((v, j) => [names[j], v])));
  const parts = contributions(row).reduce((sum, v) => sum + v, 0);
  if (byName !== score(row)) throw new Error("by name it is " + byName);
  if (Math.abs(parts - byName) > 1e-9 * (1 + Math.abs(byName))) throw new Error("the parts add up to " + parts);
  return byName;
});
console.log(JSON.stringify(scores));
`
	if err := os.WriteFile(filepath.Join(folder, "run.mjs"), []byte(program), 0o666); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "node", "run.mjs")
	cmd.Dir, cmd.Stdin, cmd.Stderr = folder, bytes.NewReader(rows), os.Stderr
	return numbersOf(cmd.Output())
}

func numbersOf(out []byte, err error) (scores []float64, _ error) {
	if err != nil {
		return nil, err
	}
	return scores, json.Unmarshal(out, &scores)
}

// bySQLite imports the rows as a table of doubles and selects their scores.
func bySQLite(ctx context.Context, folder string, c rowsCase) ([]float64, error) {
	if err := exported(folder, "select.sql", c.m, export.SQL, export.Options{}); err != nil {
		return nil, err
	}
	file, err := os.Create(filepath.Join(folder, "rows.csv"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	w := csv.NewWriter(file)
	for i := range c.x.Rows {
		record := []string{strconv.Itoa(i)}
		for _, v := range c.x.Row(i) {
			record = append(record, strconv.FormatFloat(v, 'g', -1, 64))
		}
		if err := w.Write(record); err != nil {
			return nil, err
		}
	}
	if w.Flush(); w.Error() != nil {
		return nil, w.Error()
	}
	columns := `"row number" INTEGER`
	for _, name := range c.m.Names {
		columns += `, "` + strings.ReplaceAll(name, `"`, `""`) + `" REAL`
	}
	script := "CREATE TABLE \"rows\" (" + columns +
		");\n.mode csv\n.import rows.csv rows\nCREATE TABLE scored AS\n.read select.sql\n"
	text, err := os.ReadFile(filepath.Join(folder, "select.sql"))
	if err != nil {
		return nil, err
	}
	script = strings.Replace(script, ".read select.sql", string(text)+";", 1) +
		"SELECT printf('%!.17g', \"score\") FROM scored ORDER BY \"row number\";\n"
	cmd := exec.CommandContext(ctx, "sqlite3", "-batch", "-bail")
	cmd.Dir, cmd.Stdin, cmd.Stderr = folder, strings.NewReader(script), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	return lines(out)
}

// lines is a number a line.
func lines(out []byte) (scores []float64, err error) {
	for _, text := range strings.Fields(string(out)) {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		scores = append(scores, v)
	}
	return scores, nil
}
