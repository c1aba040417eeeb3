package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// WriteManual writes the manual page of a verb, or of the whole program, from the texts
// of its help: roff with the macros of man(7). version is that of the program.
func WriteManual(w io.Writer, cmd *cobra.Command, version string) error {
	m := &manual{}
	name := pageName(cmd)
	m.line(".TH %s 1 \"\" %s %s", quoted(strings.ToUpper(name)), quoted("pairrank "+version), quoted("pairrank"))
	m.heading("NAME")
	m.text(name + " - " + cmd.Short)
	m.heading("SYNOPSIS")
	if cmd.Runnable() && cmd.HasParent() {
		m.text(cmd.UseLine())
	} else {
		m.text(cmd.CommandPath() + " VERB [ARGUMENTS] [FLAGS]")
	}
	m.heading("DESCRIPTION")
	m.paragraphs(cmd.Long)
	if cmd.HasAvailableSubCommands() {
		m.heading("VERBS")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				m.item(fmt.Sprintf("%s(1)", pageName(c)), c.Short)
			}
		}
	}
	m.heading("OPTIONS")
	sections, _ := flagSections(cmd, false)
	for _, s := range sections {
		m.line(".SS %s", quoted(s.title))
		for _, row := range s.rows {
			m.item(strings.TrimSpace(row[0]), row[1])
		}
	}
	if cmd.Example != "" {
		m.heading("EXAMPLES")
		m.literal(cmd.Example)
	}
	m.heading("SEE ALSO")
	m.text(m.others(cmd))
	_, err := io.WriteString(w, m.String())
	return err
}

// pageName is the name of the page of a verb: pairrank-train.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manual writes roff.
type manual struct{ strings.Builder }

func (m *manual) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

func (m *manual) heading(title string) { m.line(".SH %s", quoted(title)) }

// text writes a line of text.
func (m *manual) text(text string) { m.line("%s", roff(text)) }

// item writes a term and what is said of it.
func (m *manual) item(term, text string) {
	m.line(".TP")
	m.line(`\fB%s\fR`, strings.TrimPrefix(roff(term), `\&`))
	m.text(text)
}

// paragraphs writes text whose paragraphs have blank lines between them. Lines that
// begin with a blank keep their form.
func (m *manual) paragraphs(text string) {
	inForm := false
	set := func(form bool) {
		switch {
		case form && !inForm:
			m.line(".EX")
		case !form && inForm:
			m.line(".EE")
		}
		inForm = form
	}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, "\n")
		if line == "" {
			set(false)
			m.line(".PP")
			continue
		}
		set(line[0] == ' ')
		m.text(line)
	}
	set(false)
}

// literal writes lines as they are.
func (m *manual) literal(text string) {
	m.line(".EX")
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		m.text(strings.TrimRight(line, "\n"))
	}
	m.line(".EE")
}

// others names the pages that stand beside that of cmd.
func (m *manual) others(cmd *cobra.Command) string {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, pageName(cmd.Parent())+"(1)")
		cmd = cmd.Parent()
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			pages = append(pages, pageName(c)+"(1)")
		}
	}
	return strings.Join(pages, ", ")
}

// roff is a text that troff prints as it is: \e for a backslash, \- for a hyphen that is
// typed, and a mark before a point or an apostrophe that begins a line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "^", `\(ha`, "~", `\(ti`, "'", `\(aq`, "`", `\(ga`).Replace(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}

// quoted is an argument of a macro.
func quoted(text string) string { return `"` + strings.ReplaceAll(roff(text), `"`, `\(dq`) + `"` }
