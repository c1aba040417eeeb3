package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// writtenAs are names of files of scores: text, and another format, one path after another.
func (p path) writtenAs() []string {
	others := []string{"held.csv", "held.jsonl", "held.npy", "held.parquet"}
	return []string{"held.txt", others[len(p.String())%len(others)]}
}

// tiny is a λ at which predictions are rounding errors, and the number of rounds in its place.
func (p path) tiny() []string {
	if p.has("rankboost") {
		return []string{"--rounds", "1"}
	}
	return []string{"--lambda", "1e-20"}
}

// withZeros is the sheet with a row of weight 0 before every third one, where it has weights.
func withZeros(s *sheet, p path) *sheet {
	out := &sheet{}
	for i := range s.x {
		if p.weighs() && i%3 == 0 {
			out.add(s, i, "")
			last := len(out.y) - 1
			out.y[last], out.weight[last] = 1-min(1, out.y[last]), 0
		}
		out.add(s, i, "")
	}
	return out
}

// heldOutFileIsTheError: the file of --held-out numbers the rows as DATA does, and says what the error counts.
// evaluate reads it, whatever its format.
func heldOutFileIsTheError(b *bench, p path) string {
	s := withZeros(b.sheet(p.shape, 30), p)
	file, flags := s.write(b, p, "rows.csv")
	line := func(candidate []string) []string {
		return p.line(b, file, slices.Concat(flags, candidate, []string{"--interval", "none"})...)
	}
	if p.method != "lpo" {
		return s.readInEveryFormat(b, p, file, line(p.one()))
	}
	for _, candidate := range [][]string{p.one(), p.tiny()} {
		if broken := s.pairsAreTheError(b, p, line(candidate)); broken != "" {
			return fmt.Sprint(candidate, ": ", broken)
		}
	}
	return ""
}

// pairsAreTheError compares the error with that of the pairs in the file.
func (s *sheet) pairsAreTheError(b *bench, p path, line []string) string {
	d, r := b.document(append(line, "--held-out", b.name("pairs.tsv"))...)
	if d == nil && r.code == 5 || b.refusal != "" {
		return ""
	} else if d == nil {
		return r.failed()
	}
	text, err := os.ReadFile(b.name("pairs.tsv"))
	if err != nil {
		b.t.Fatal(err)
	}
	wrong, all := 0.0, 0.0
	for line := range strings.Lines(string(text)) {
		var i, j int
		var fi, fj float64
		if _, err := fmt.Sscan(line, &i, &j, &fi, &fj); err != nil {
			b.t.Fatal(err)
		}
		i, j = i-1, j-1
		weight := 1.0
		if p.weighs() {
			weight = s.weight[i] * s.weight[j]
		}
		if weight == 0 {
			return fmt.Sprintf("rows %d and %d, of weight 0, are held out", i+1, j+1)
		}
		above := s.above(p, i, j)
		if above == 0 {
			continue
		}
		all += weight
		if apart := fi - fj; apart == 0 {
			wrong += weight / 2
		} else if above*apart < 0 {
			wrong += weight
		}
	}
	if e := d.points()[0].Error; !alike(e, wrong/all) {
		return fmt.Sprintf("the error is %.9g, that of the file %.9g", e, wrong/all)
	}
	return ""
}

// above is 1 where row i is to be above row j, −1 where it is to be below, 0 where they are not compared.
func (s *sheet) above(p path, i, j int) float64 {
	if !p.timed() {
		return float64(min(1, max(-1, int(s.y[i]-s.y[j]))))
	}
	shorter := func(i, j int) bool {
		return s.event[i] == 1 && (s.y[i] < s.y[j] || s.y[i] == s.y[j] && s.event[j] == 0)
	}
	switch {
	case shorter(i, j):
		return -1
	case shorter(j, i):
		return 1
	}
	return 0
}

// readInEveryFormat measures the held-out scores by evaluate, in every format.
func (s *sheet) readInEveryFormat(b *bench, p path, file string, line []string) string {
	judged := []string{"evaluate", file}
	if p.timed() {
		judged = append(judged, "--time", "months", "--event", "died")
	}
	if p.weighs() {
		judged = append(judged, "--weight-column", "mass")
	}
	first := ""
	for _, as := range p.writtenAs() {
		d, r := b.document(append(slices.Clone(line), "--held-out", b.name(as))...)
		if d == nil && b.refusal == "" && r.code != 5 {
			return r.failed()
		} else if d == nil {
			return ""
		}
		r = b.run(append(slices.Clone(judged), "--scores", b.name(as), "--json")...)
		said := strings.ReplaceAll(r.out, as, "")
		if first == "" {
			first = said
		}
		if r.code != 0 || said != first {
			return as + ": " + r.failed() + said
		}
	}
	return ""
}

// edgesAreRead: relation evaluate reads the scores that relation predict writes.
func edgesAreRead(b *bench, p path) string {
	g := b.graph(31)
	p.verb = "relation train"
	g.lambdas = "1"
	slices.Reverse(g.rowOrder)
	if r := b.run(g.line(b, p)...); r.code != 0 {
		return r.failed()
	}
	nodes := []string{"--rows", b.name("rows.tsv"), "--cols", b.name("cols.tsv")}
	judged := []string{"relation", "evaluate", b.name("edges.tsv"), "--json"}
	want := b.run(slices.Concat(judged, []string{"--model", b.name("model.txt")}, nodes)...)
	as := []string{"scores.tsv", "scores.csv", "scores.txt"}[len(p.String())%3]
	for _, more := range [][]string{nil, {"--header"}, {"--edges", b.name("edges.tsv")}} {
		line := slices.Concat([]string{"relation", "predict", b.name("model.txt"), "-o", b.name(as)}, nodes, more)
		if r := b.run(line...); r.code != 0 {
			return r.failed()
		}
		got := b.run(append(judged, "--scores", b.name(as))...)
		same := strings.ReplaceAll(strings.ReplaceAll(want.out, "model.txt", as), `"kind": "model"`, `"kind": "scores"`)
		if got.code != 0 || got.out != same {
			return fmt.Sprint(as, more, ": ", got.failed(), got.out, same)
		}
	}
	return ""
}
