package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/table"
)

// manyRows are a table of more rows than are held at a time, in random order of queries, and SVMlight text of them.
func manyRows(missing bool) (table, text string) {
	const rows, features = 7000, 50
	random := rand.New(rand.NewPCG(8, 9))
	var csv, letor strings.Builder
	csv.WriteString("id,y,qid")
	for j := range features {
		fmt.Fprintf(&csv, ",x%d", j)
	}
	for i := range rows {
		y, q := random.IntN(3), random.IntN(40)
		fmt.Fprintf(&csv, "\nr%d,%d,%d", i, y, q)
		fmt.Fprintf(&letor, "%d qid:%d", y, q)
		for j := range features {
			x := random.NormFloat64()
			switch {
			case missing && random.IntN(50) == 0:
				csv.WriteString(",")
				fmt.Fprintf(&letor, " %d:NaN", j+1)
				continue
			case random.IntN(4) > 0 && missing:
				x = 0
			}
			fmt.Fprintf(&csv, ",%.5g", x)
			fmt.Fprintf(&letor, " %d:%.5g", j+1, x)
		}
		fmt.Fprintf(&letor, " # docid = r%d\n", i)
	}
	return csv.String() + "\n", letor.String()
}

// A file is scored and explained by some rows at a time, as standard input is that is read as a whole, in all formats.
func TestRowsSomeAtATime(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of rows")
	}
	for _, missing := range []bool{false, true} {
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		obey := func(stdin string, args ...string) string {
			t.Helper()
			var out, errs bytes.Buffer
			if err := run(context.Background(), args, strings.NewReader(stdin), &out, &errs); err != nil {
				t.Fatalf("%q: %v\n%s", args, err, errs.String())
			}
			return out.String()
		}
		table, text := manyRows(missing)
		for name, content := range map[string]string{"t.csv": table, "t.txt": text} {
			if err := os.WriteFile(at(name), []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		by := map[bool]string{false: "error", true: "mean"}[missing]
		for _, name := range []string{"t.jsonl", "t.parquet", "t.npz", "t.csv.gz"} {
			obey("", "convert", at("t.csv"), at(name), "--missing", by)
		}
		obey("", "train", at("t.csv"), "--lambda", "1", "--normalize", "zscore", "--missing", by, "-o", at("csv.m"))
		obey("", "train", at("t.txt"), "--lambda", "1", "--normalize", "zscore", "--missing", by, "-o", at("txt.m"))
		for _, args := range [][]string{{"predict"}, {"predict", "--with-ids"}, {"explain"}, {"explain", "--limit", "2"},
			{"explain", "--of", "r6999"}, {"explain", "--of", "6999,3"}, {"explain", "--of", "r5,r6000"},
			{"explain", "--query", "7", "--extra-features", "ignore"}} {
			wants := map[string]string{}
			for _, name := range []string{"t.txt", "t.csv", "t.jsonl", "t.parquet", "t.npz", "t.csv.gz"} {
				kind, content, format := "csv", table, "csv"
				if name == "t.txt" {
					kind, content, format = "txt", text, "svmlight"
				}
				rest := append([]string{at(kind + ".m"), "-", "--format", format}, args[1:]...)
				if wants[kind] == "" {
					wants[kind] = obey(content, append([]string{args[0]}, rest...)...)
				}
				rest[1], rest[3] = at(name), "auto"
				got := obey("", append([]string{args[0]}, rest...)...)
				if got != wants[kind] {
					t.Errorf("missing %v, %v of %s: other output", missing, args, name)
				}
			}
		}
	}
}

// A file of each format comes in several blocks where the reader asks for them.
func TestFilesComeInBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of rows")
	}
	dir := t.TempDir()
	text, _ := manyRows(false)
	names := []string{"t.csv", "t.csv.gz", "t.jsonl", "t.npz", "t.parquet"}
	if err := os.WriteFile(filepath.Join(dir, names[0]), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	a := &app{&cli.App{}}
	opts := table.Options{Features: 50, MayLackLabel: true}
	for j := range opts.Features {
		opts.Names = append(opts.Names, fmt.Sprintf("x%d", j))
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if code, _, stderr := program(t, "convert", filepath.Join(dir, names[0]), path); name != names[0] && code != 0 {
			t.Fatal(stderr)
		}
		blocks, next := 0, 0
		_, err := withRows(a, path, formatByName(path), func(read readRows) (*data.Set, error) {
			return read(opts.Each(func(first int, block *data.Set) error {
				rows, _ := block.X.Dims()
				if first != next {
					t.Errorf("%s: row %d comes after %d", name, first, next)
				}
				blocks, next = blocks+1, first+rows
				return nil
			}))
		})
		if err != nil || blocks < 2 || next != 7000 {
			t.Errorf("%s: %d rows in %d blocks: %v", name, next, blocks, err)
		}
	}
}
