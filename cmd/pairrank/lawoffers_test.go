package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// offered are the verbs whose help offers ways of holding out, each with data for every way.
func offered(b *bench) map[string]func(value string) []string {
	list, queries, g := b.sheet("list", 21), b.sheet("queries", 21), b.graph(21)
	rows := b.put("list.csv", list.csv(false, ""))
	grouped := b.put("queries.csv", queries.csv(false, ""))
	parts := b.put("parts.txt", strings.ReplaceAll(letor(queries), "qid:q", "qid:"))
	of := func(value string) string {
		if strings.HasPrefix(value, "lpo") {
			return rows
		}
		return grouped
	}
	edges := func(verb string) []string { return g.line(b, path{kind: "edges", shape: "rows", verb: verb}) }
	var votes strings.Builder
	votes.WriteString("left,right,winner,annotator,stratum,cluster\n")
	for k, v := range b.votes(21) {
		fmt.Fprintf(&votes, "%s,%s,%s,w%d,s%d,c%d\n", v.left, v.right, v.winner, k%12, k%9, k%7)
	}
	return map[string]func(value string) []string{
		"cv":             func(value string) []string { return []string{"cv", of(value)} },
		"train":          func(value string) []string { return []string{"train", of(value), "-o", b.name("m.txt")} },
		"stream train":   func(string) []string { return []string{"stream", "train", parts, "-o", b.name("s.txt")} },
		"relation cv":    func(string) []string { return edges("relation cv") },
		"relation train": func(string) []string { return edges("relation train") },
		"leaderboard": func(value string) []string {
			line := []string{"leaderboard", b.put("offered.csv", votes.String())}
			if value == "item" {
				line = append(line, "--items", b.put("items.csv", "id,x\nitem0,1\nitem1,2\nitem2,4\nitem3,3\nitem4,1\n"))
			}
			return line
		},
	}
}

// letor is the sheet as SVMlight text.
func letor(s *sheet) string {
	var text strings.Builder
	for i, x := range s.x {
		fmt.Fprintf(&text, "%v qid:%s", s.y[i], s.query[i])
		for j, v := range x {
			fmt.Fprintf(&text, " %d:%v", j+1, v)
		}
		text.WriteString("\n")
	}
	return text.String()
}

// ways matches the ways of holding out, and the units, in a help.
var ways = regexp.MustCompile(`\b(lqo|lpo|loo|kfold:K|none|comparison|line|pair|annotator|stratum|cluster|item)\b`)

// Every way of holding out that the help of a verb offers is one that the verb takes.
func TestOfferedWaysAreTaken(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir()}
	cells := 0
	for verb, line := range offered(b) {
		root := newTestRoot(t)
		cmd, _, err := root.Find(strings.Fields(verb))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"method", "select", "nested", "hold-out"} {
			flag := cmd.Flags().Lookup(name)
			if flag == nil || flag.Hidden {
				continue
			}
			text, _, _ := strings.Cut(flag.Usage, " (")
			found := ways.FindAllString(text, -1)
			slices.Sort(found)
			for _, way := range slices.Compact(found) {
				value := strings.Replace(way, ":K", ":3", 1)
				more := []string{"--" + name + "=" + value}
				if way == "none" {
					more = append(more, "--lambda", "1")
				}
				args := line(value)
				for _, flag := range []string{"--lambdas", "--setting"} { // which one λ has no use for
					if at := slices.Index(args, flag); at >= 0 && way == "none" {
						args = slices.Delete(args, at, at+2)
					}
				}
				cells++
				if r := b.run(append(args, more...)...); r.code != 0 {
					t.Errorf("%s --%s=%s: %s", verb, name, value, r.failed())
				}
			}
		}
	}
	t.Logf("%d cells", cells)
}
