package main

import (
	"regexp"
	"sync/atomic"
)

// volatile is what differs between two runs of the same program on the same input,
// or belongs to its build. It is replaced in standard output and standard error, and
// nowhere in the files written.
type volatile struct {
	what    string
	pattern *regexp.Regexp
	to      string
	cases   atomic.Int64 // invocations in which it stood
}

var volatiles = []*volatile{
	{what: "seconds of a report", pattern: regexp.MustCompile(`(?m)^(seconds +).*$`), to: "${1}…"},
	{what: "seconds of a JSON document", pattern: regexp.MustCompile(`"seconds": \{[^}]*\}`), to: `"seconds": {…}`},
	{what: "seconds of an event", pattern: regexp.MustCompile(`"seconds":[0-9.eE+-]+`), to: `"seconds":…`},
	{what: "events on the way, as many as there is time for",
		pattern: regexp.MustCompile(`(?m)^\{[^\n]*"event":"progress"[^\n]*\}\n`), to: ""},
	{what: "lines on the way, one every five seconds",
		pattern: regexp.MustCompile(`(?m)^pairrank: [^\n]*, (?:[0-9]+m)?[0-9]+s` +
			`(?:, about [0-9ms]+ left)?(?:, [^\n]*)?\n`), to: ""},
	{what: "memory that is free", pattern: regexp.MustCompile(`[0-9.e+]+ [kMGT]?B (are|that are) free`),
		to: "… ${1} free"},
	{what: "version of the build", pattern: regexp.MustCompile(`(?m)^pairrank (?:\(devel\)|\(unknown\)|v[0-9]\S*)$`),
		to: "pairrank …"},
	{what: "revision of the build", pattern: regexp.MustCompile(`(?m)^revision +.*\n`), to: ""},
	{what: "version of Go", pattern: regexp.MustCompile(`(?m)^(go +)go[0-9].*$`), to: "${1}…"},
	{what: "version of the build in JSON",
		pattern: regexp.MustCompile(`("version": )"(?:\(devel\)|\(unknown\)|v[0-9][^"]*)"`), to: `${1}"…"`},
	{what: "revision of the build in JSON", pattern: regexp.MustCompile(`(?m)^ *"revision": ".*",\n`), to: ""},
	{what: "version of Go in JSON", pattern: regexp.MustCompile(`("go": )"go[^"]*"`), to: `${1}"…"`},
}

// settled is text without what is volatile.
func settled(text []byte) []byte {
	for _, v := range volatiles {
		text = v.pattern.ReplaceAll(text, []byte(v.to))
	}
	return text
}

// count counts an invocation in the volatiles that stand in what it printed.
func (o outcome) count() {
	for _, v := range volatiles {
		if v.pattern.Match(o.stdout) || v.pattern.Match(o.stderr) {
			v.cases.Add(1)
		}
	}
}
