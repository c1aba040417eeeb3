// Command web is what the playground runs in the browser: it answers one question about one table, without files, with
// the document and the page of the program.
//
//	web VERB FILE [--option value]… < TABLE
//
// VERB is cv or leaderboard, or find, which takes the first that reads the table. FILE is the name of the table in what
// is said; its ending gives the format. The options are those of the program that the playground has. The answer is an
// object of JSON on a line of standard output, whatever came of it, before which there may be one that is less of it;
// progress is lines of text on standard error. With the tag boards it has no cv, and is half as large.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"pairrank/event"
	"pairrank/internal/quote"
	"pairrank/internal/report"
	"pairrank/internal/report/page"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	a := &answer{progress: os.Stderr, to: os.Stdout}
	if err == nil {
		err = a.ask(context.Background(), os.Args[1:], text)
	}
	if err != nil {
		a.Error = err.Error()
	}
	if err := a.send(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// answer is what is said of a table.
type answer struct {
	Verb    string        // that read it
	Command string        // of the program, which makes the page
	Page    string        // HTML, "" after an error
	Columns []string      // the names of the columns
	Notes   []report.Note // as the program tells them
	Ranking [][]string    // of rows: a head, and a line for each row
	Error   string        `json:",omitempty"`
	More    bool          // says that another answer, with more, follows

	progress, to io.Writer
	told         string // the last progress
}

// send writes what is answered so far.
func (a *answer) send() error { return json.NewEncoder(a.to).Encode(a) }

// question is what is asked.
type question struct {
	file  string
	text  []byte
	given []string // the options, as they are given
	board boardOptions
}

// learner reads tables of rows, and estimates the error of what is learnt from them.
type learner interface {
	define(of *flag.FlagSet)
	columns(q *question) []string
	estimate(ctx context.Context, a *answer, q *question) error
}

// newLearner is of the program that has rows.
var newLearner = func() learner { return noLearner{} }

// noLearner is of the program of boards alone: it says what is missing for a board.
type noLearner struct{}

func (noLearner) define(*flag.FlagSet)       {}
func (noLearner) columns(*question) []string { return nil }
func (noLearner) estimate(ctx context.Context, a *answer, q *question) error {
	a.Verb = "leaderboard"
	return a.rank(ctx, q)
}

// ask answers the arguments.
func (a *answer) ask(ctx context.Context, args []string, text []byte) error {
	if len(args) < 2 {
		return fmt.Errorf("web VERB FILE [--option value]…: VERB or FILE is missing")
	}
	q := &question{file: args[1], text: text, given: args[2:]}
	of := flag.NewFlagSet("web", flag.ContinueOnError)
	of.SetOutput(io.Discard)
	q.board.define(of)
	rows := newLearner()
	rows.define(of)
	if err := of.Parse(q.given); err != nil {
		return err
	}
	if of.NArg() > 0 {
		return fmt.Errorf("%q is no option", of.Arg(0))
	}
	a.Columns = rows.columns(q)
	switch a.Verb = args[0]; {
	case a.Verb == "leaderboard", a.Verb == "find" && q.isBoard():
		a.Verb = "leaderboard"
		return a.rank(ctx, q)
	case a.Verb == "cv", a.Verb == "find":
		a.Verb = "cv"
		return rows.estimate(ctx, a, q)
	}
	return fmt.Errorf("%q is none of cv, leaderboard, find", a.Verb)
}

// command is the command line of the program.
func (a *answer) command(q *question) string {
	words := append(slices.Concat([]string{"pairrank", a.Verb, q.file}, q.given), "--report", "report.html")
	for k, word := range words {
		words[k] = quote.ForShell(word)
	}
	return strings.Join(words, " ")
}

// show makes the page of a document, which has the notes that were told.
func (a *answer) show(q *question, d interface {
	report.Document
	SetNotes([]report.Note)
}) error {
	d.SetNotes(a.Notes)
	a.Command = a.command(q)
	p := page.New("pairrank report")
	if err := p.Add(q.file, d); err != nil {
		return err
	}
	var out strings.Builder
	err := p.Write(&out)
	a.Page = out.String()
	return err
}

// tell keeps notes.
func (a *answer) tell(notes ...event.Note) {
	for _, n := range notes {
		a.Notes = append(a.Notes, report.Note{Code: string(n.Code), Warning: n.Warning, Text: n.String()})
	}
}

// monitor keeps notes, and writes a line where progress changes by a percent.
func (a *answer) monitor() event.Monitor {
	return event.Monitor{Note: func(n event.Note) { a.tell(n) }, Progress: func(p event.Progress) {
		line := p.Task
		if p.Total > 0 {
			line = fmt.Sprintf("%s: %d %%", p.Task, 100*p.Done/p.Total)
		}
		if line != a.told && !p.Ended {
			a.told = line
			fmt.Fprintln(a.progress, line)
		}
	}}
}
