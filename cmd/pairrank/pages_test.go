package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// A page that cannot be written after the work is an error, and what was found is printed
// all the same.
func TestFailedPageKeepsTheDocument(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"d.txt": "1 qid:1 1:2\n0 qid:1 1:1\n2 qid:2 1:3\n0 qid:2 1:2\n1 qid:3 1:1\n0 qid:3 1:0\n0 qid:4 1:1\n1 " +
			"qid:4 1:2\n",
		"a.txt": "1\n0\n1\n0\n1\n0\n1\n0\n", "b.txt": "0\n1\n1\n0\n1\n0\n1\n0\n",
		"e.tsv": "a\tx\t1\na\ty\t0\nb\tx\t2\nb\ty\t1\nc\tx\t0\nc\ty\t3\n", "r.tsv": "id\tv\na\t1\nb\t2\nc\t4\n",
		"c.tsv": "id\tv\nx\t1\ny\t3\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, c := range []string{"cv d.txt --report", "cv d.txt --figure",
		"compare d.txt --scores a.txt --scores b.txt --report", "relation cv e.tsv --rows r.tsv --cols c.tsv --report"} {
		var out, errs strings.Builder
		err := run(t.Context(), append(strings.Fields(c), full, "--json"), strings.NewReader(""), &out, &errs)
		if cli.ExitCode(err) != cli.ExitRuntime || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%s: exit code %d, %q", c, cli.ExitCode(err), errs.String())
		}
		if !json.Valid([]byte(out.String())) {
			t.Errorf("%s: the document is %q", c, out.String())
		}
	}
}

// A page of a document that was read back is that of --report, but for the names of files and what a
// training tells of its model; the ROC curve is in both without a flag of its own.
func TestPageOfReadDocument(t *testing.T) {
	dir := t.TempDir()
	var rows, other strings.Builder
	for i := range 24 {
		fmt.Fprintf(&rows, "%d 1:%d 2:%d\n", i*7%5%2, i*5%11, i*3%7)
		fmt.Fprintf(&other, "%d\n", i*3%13)
	}
	queries := strings.NewReplacer(" 1:", " qid:1 1:").Replace(rows.String()) + strings.NewReplacer(" 1:",
		" qid:2 1:").Replace(rows.String())
	list := putFile(t, dir, "list.txt", rows.String())
	both := putFile(t, dir, "both.txt", queries)
	a, b := putFile(t, dir, "a.txt", other.String()+other.String()), putFile(t, dir, "b.txt",
		strings.Repeat("1\n2\n0\n", 16))
	html, document, again := filepath.Join(dir, "1.html"), filepath.Join(dir, "d.json"), filepath.Join(dir, "2.html")
	section := regexp.MustCompile(`(?s)<section>\n<h2>[^<]*</h2>(.*?)</section>`)
	for _, c := range []struct {
		args  []string
		shows string
	}{
		{[]string{"cv", list}, "The area under the ROC curve is"},
		{[]string{"cv", list, "--learner", "rankboost", "--rounds", "3"}, "rounds"},
		{[]string{"cv", both, "--metric", "ndcg", "--learning-curve=false"}, "<dt>ndcg</dt>"},
		{[]string{"compare", both, "--scores", a, "--scores", b, "-m", "ndcg,tau-b"},
			"<th scope=\"col\" role=\"columnheader\">Holm</th>"},
		{[]string{"train", both, "-o", filepath.Join(dir, "m.txt")}, "<dt>held-out error</dt>"},
	} {
		code, out, errs := program(t, append(c.args, "--report", html, "--json")...)
		if code != 0 {
			t.Fatalf("%q: %s", c.args, errs)
		}
		putFile(t, dir, "d.json", out)
		if code, _, errs := program(t, "report", document, "-o", again); code != 0 {
			t.Fatalf("%q: %s", c.args, errs)
		}
		var pages [2]string
		for k, name := range []string{html, again} {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if found := section.FindSubmatch(text); found != nil {
				pages[k] = string(found[1])
			}
		}
		if pages[0] != pages[1] || !strings.Contains(pages[0], c.shows) {
			t.Errorf("%q: the page of the document that was read differs, or lacks %s", c.args, c.shows)
		}
		if strings.Contains(pages[0], "The time of") {
			t.Errorf("%q: the page has a chart of its seconds", c.args)
		}
	}
}

// --figure draws the figure that is named, and refuses before the work what nothing asked for.
func TestFigureByName(t *testing.T) {
	dir := t.TempDir()
	list := putFile(t, dir, "list.txt", "1 1:1\n0 1:2\n1 1:3\n0 1:0\n1 1:5\n0 1:1\n")
	svg := filepath.Join(dir, "f.svg")
	if code, _, errs := program(t, "cv", list, "--figure", "roc="+svg); code != 0 {
		t.Fatal(errs)
	}
	if text, err := os.ReadFile(svg); err != nil || !strings.Contains(string(text), "The area under the ROC curve is") {
		t.Errorf("%v: no ROC curve in %.300s", err, text)
	}
	for flag, want := range map[string]string{
		"metric": "draws what --metric asks for", "learning": "draws what --learning-curve asks for",
		"importance": "draws what --importance asks for",
	} {
		if code, _, errs := program(t, "cv", list, "--figure", flag+"="+svg); code != cli.ExitUsage ||
			!strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s", flag, code, errs)
		}
	}
	queries := putFile(t, dir, "q.txt", "1 qid:1 1:1\n0 qid:1 1:2\n1 qid:2 1:3\n0 qid:2 1:0\n")
	if code, _, errs := program(t, "cv", queries, "--figure", "roc="+svg); code != cli.ExitUsage ||
		!strings.Contains(errs, "--figure roc needs a single list") {
		t.Errorf("exit %d, %s", code, errs)
	}
}
