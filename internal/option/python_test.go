package option

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// estimators are the classes of the Python package that have the options of a learner of rows, or of edges.
var estimators = []struct{ name, verb, learner string }{
	{"RankRLS", "train", "rankrls"}, {"RLS", "train", "rls"}, {"RankSVM", "train", "ranksvm"},
	{"RankBoost", "train", "rankboost"}, {"PairwiseRelation", "relation train", ""},
	{"Leaderboard", "leaderboard", ""},
}

// notPython are options that the package sets itself, or that stand for what Python has by itself.
var notPython = words("output learner lambda format edge-format zero-based max-line json progress outcome-is decimal " +
	"censored")

// The constructors of the Python package follow from the table; go generate ./internal/option writes them.
func TestPythonOptions(t *testing.T) {
	const file = "../../python/pairrank/_options.py"
	var b strings.Builder
	b.WriteString(`"""Options of the estimators: go generate ./internal/option writes this file from the table ` +
		`of options."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Union
`)
	for _, e := range estimators {
		pythonClass(&b, e.name, e.verb, e.learner)
	}
	now, err := os.ReadFile(file)
	switch {
	case err == nil && string(now) == b.String():
	case !*update:
		t.Errorf("%s is not what the table of options says: go generate ./internal/option", file)
	default:
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// pythonClass writes a class whose constructor takes the options.
func pythonClass(b *strings.Builder, name, verb, learner string) {
	var head, body, doc strings.Builder
	for _, o := range Of(verb) {
		if !o.isPython(learner) {
			continue
		}
		kind, value := o.python()
		name := strings.ReplaceAll(o.Name, "-", "_")
		fmt.Fprintf(&head, "        %s: %s = %s,\n", name, kind, value)
		fmt.Fprintf(&body, "        self.%s = %s\n", name, name)
		text, _, _ := strings.Cut(o.usage(), " (default: "+o.Default)
		fmt.Fprintf(&doc, "    %s : %s, default=%s\n", name, kind, value)
		for line := range strings.SplitSeq(wrapAt(inPython(strings.ReplaceAll(text, "`", "")+"."), 108), "\n") {
			fmt.Fprintf(&doc, "        %s\n", line)
		}
	}
	fmt.Fprintf(b, "\n\nclass %sOptions:\n    \"\"\"\n    Parameters\n    ----------\n%s    threads : Optional[int], "+
		"default=None\n        Threads (default: all cores); results do not depend on it.\n    \"\"\"\n\n"+
		"    def __init__(\n        self,\n        *,\n%s        threads: Optional[int] = None,\n    ) -> None:\n%s"+
		"        self.threads = threads\n", name, &doc, &head, &body)
}

// flagInText is an option in a sentence, with its value where that is a name.
var flagInText = regexp.MustCompile(`--([a-z-]+)(?: ([a-z][a-z-]*))?`)

// inPython is a sentence with the parameters of Python for options of the command. Gates do not end Python: boards
// have their verdicts.
func inPython(text string) string {
	text = strings.NewReplacer("exit with 4 when", "`board_[\"gates\"]` says whether",
		", with 7 when that is undecided", "", ", with 7 when", ", or").Replace(text)
	return flagInText.ReplaceAllStringFunc(text, func(flag string) string {
		m := flagInText.FindStringSubmatch(flag)
		name, rest := strings.ReplaceAll(m[1], "-", "_"), ""
		if m[2] != "" {
			rest = " " + m[2]
		}
		if name == "lambda" {
			name = "lambdas"
		}
		for o := range each {
			if o.Name == m[1] && (slices.Contains(o.Names, m[2]) || slices.Contains(o.EdgeNames, m[2])) {
				rest = fmt.Sprintf("=%q", m[2])
			}
		}
		return name + rest
	})
}

// isPython reports whether a constructor takes the option: it is about learning, and has no file or column of a
// table as its value, which are arguments of fit. Columns of texts stay: a frame has names, but not always categories.
func (o *Option) isPython(learner string) bool {
	kind := o.kindOfValue()
	return !slices.Contains(notPython, o.Name) && kind != "FILE" && kind != "COLUMN" &&
		o.Needs != "early-stop" && !(learner != "" && strings.HasPrefix(o.Needs, "comparisons")) &&
		!(o.Group == "Data" && o.Name != "factor-columns" &&
			(kind == "LIST" || kind == "TEXT" || kind == "" && o.Names == nil)) &&
		(learner == "" || o.Data == 0 || o.Data&Rows != 0) && o.isForLearner(learner)
}

// isForLearner reports whether a learner of rows takes the option, and the one that it needs.
func (o *Option) isForLearner(learner string) bool {
	name, _, _ := strings.Cut(o.Needs, " ")
	if need := Find("train", name); learner != "" && need != nil && !need.isForLearner(learner) {
		return false
	}
	return learner == "" || o.Learners == "" || slices.Contains(words(o.Learners), learner)
}

// python is the type of the option in Python, and its default.
func (o *Option) python() (kind, value string) {
	_, whole := strconv.Atoi(o.Default)
	_, number := strconv.ParseFloat(o.Default, 64)
	own := o.Default == "" || strings.Contains(o.Help, "(default:") // which depends on others
	switch {
	case o.Name == "lambdas":
		return "Union[float, str, List[float], None]", "None"
	case o.Name == "spline-in":
		return "Union[str, Dict[str, int], None]", "None"
	case o.Bare.Value != "":
		return "Union[bool, int, str, None]", "None"
	case o.Names == nil && o.kindOfValue() == "" && number == nil:
		return "float", o.Default
	case o.Names == nil && o.kindOfValue() == "":
		return "bool", "False"
	}
	kind = map[string]string{"F": "float", "N": "int", "LIST": "Union[str, int, List[Any]]"}[o.kindOfValue()]
	kind = cmp.Or(kind, "str")
	if kind == "int" && (o.Name == "features" || !own && whole != nil) {
		kind = "Union[int, str]"
	}
	if own {
		return "Optional[" + kind + "]", "None"
	}
	if number == nil {
		return kind, o.Default
	}
	return kind, strconv.Quote(o.Default)
}

// wrapAt breaks a text into lines of at most so many bytes.
func wrapAt(text string, width int) string {
	var b strings.Builder
	at := 0
	for word := range strings.FieldsSeq(text) {
		if at > 0 && at+1+len(word) > width {
			b.WriteString("\n")
			at = 0
		} else if at > 0 {
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += len(word)
	}
	return b.String()
}
