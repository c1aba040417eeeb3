package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// A file is of the format of its ending, in letters of any size, for every verb that reads or writes it.
func TestEndingsOfAnySize(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := "label,qid,f1,f2\n"
	for i := range 24 {
		rows += strings.NewReplacer("L", string('0'+rune(i*7%5)), "Q", string('0'+rune(i/4)), "A", string('0'+rune(i*i%9)),
			"B", string('0'+rune(i*3%7))).Replace("L,Q,A.5,0.B\n")
	}
	put(t, "rows.csv", rows)
	must(t, "train", "rows.csv", "--lambda", "1", "-o", "rows.model")
	for _, form := range []string{"tsv", "jsonl", "npz", "parquet", "csv.gz", "tsv.zst", "jsonl.gz"} {
		must(t, "convert", "rows.csv", "rows."+form)
	}
	verbs := []string{"check FILE", "train FILE --lambda 1 -o out", "cv FILE --lambda 1", "predict rows.model FILE",
		"explain rows.model FILE", "evaluate FILE --model rows.model", "convert FILE out.csv", "convert rows.csv FILE",
		"stream train FILE --lambda 1 -o out", "stream stats FILE -o units", "leaderboard FILE",
		"predict rows.model rows.csv -o FILE"}
	for _, form := range []string{"csv", "tsv", "jsonl", "npz", "parquet", "csv.gz", "tsv.zst", "jsonl.gz", "parquet.gz"} {
		for _, verb := range verbs {
			small, large := "f."+form, "f."+strings.ToUpper(form)
			told := func(name string) string {
				os.RemoveAll("units")
				os.Remove("out")
				os.Remove("out.csv")
				from := strings.TrimSuffix(form, ".gz")
				if from != "parquet" {
					from = form
				}
				if err := os.WriteFile(name, contentOf(t, "rows."+from), 0o666); err != nil {
					t.Fatal(err)
				}
				var stdout, stderr bytes.Buffer
				args := strings.Fields(strings.Replace(verb, "FILE", name, 1))
				code := cli.ExitCode(run(context.WithoutCancel(t.Context()), args, strings.NewReader(""), &stdout, &stderr))
				var text string
				for line := range strings.Lines(stdout.String() + stderr.String()) {
					if !strings.HasPrefix(line, "seconds") && !strings.HasPrefix(line, "stream") {
						text += line
					}
				}
				for _, file := range []string{"out", "out.csv", name} {
					written, _ := os.ReadFile(file)
					text += string(written)
				}
				return string('0'+rune(code)) + strings.ReplaceAll(text, name, "FILE")
			}
			if want, got := told(small), told(large); got != want {
				t.Errorf("%s of %s tells\n%.600s\nand of %s\n%.600s", verb, large, got, small, want)
			}
		}
	}
}

// A compressed Parquet file is refused in the same words, with the same exit code, by every verb.
func TestCompressedParquetIsRefusedAlike(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "m.csv", "label,qid,f1\n1,1,2\n0,1,1\n2,2,1\n0,2,3\n")
	put(t, "n.csv", "id,x\na,1\nb,2\n")
	must(t, "train", "m.csv", "--lambda", "1", "-o", "m.model")
	must(t, "convert", "m.csv", "f.parquet")
	put(t, "f.parquet.gz", string(contentOf(t, "f.parquet")))
	const want = "pairrank: f.parquet.gz: a .parquet file is compressed in itself, not by gzip\n"
	for _, verb := range []string{"check FILE", "train FILE -o out", "cv FILE", "predict m.model FILE", "leaderboard FILE",
		"explain m.model FILE", "stream train FILE -o out", "relation train FILE --rows n.csv -o out",
		"relation train n.csv --rows FILE -o out", "evaluate m.csv --scores FILE", "convert FILE out.csv",
		"convert m.csv FILE", "evaluate --comparisons FILE m.csv"} {
		code, stderr := runAll(t, strings.Fields(strings.Replace(verb, "FILE", "f.parquet.gz", 1))...)
		if code != cli.ExitUsage || stderr != want {
			t.Errorf("%s ends with %d: %s", verb, code, stderr)
		}
	}
}
