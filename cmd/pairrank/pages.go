package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/report"
	"pairrank/internal/report/page"
)

// pageFlags are the flags of the verbs that write figures of what they found.
type pageFlags struct {
	page, figure string
	drawn        string   // the name of the figure, or "" for the main one
	names        []string // of the figures that can be drawn alone
}

// targets are where the values of the options go.
func (f *pageFlags) targets() cli.Targets {
	return cli.Targets{"report": &f.page, "figure": figureFlag{f}}
}

// figureFlag is the value of --figure: FILE, or NAME=FILE where NAME is that of a figure.
type figureFlag struct{ of *pageFlags }

func (f figureFlag) Type() string      { return "FILE" }
func (f figureFlag) String() string    { return f.of.figure }
func (f figureFlag) Names(of []string) { f.of.names = of }
func (f figureFlag) Set(text string) error {
	name, file, named := strings.Cut(text, "=")
	switch {
	case named && slices.Contains(f.of.names, name):
	case named && !strings.ContainsAny(name, "/."):
		return fmt.Errorf("%s is no figure: the figures are %s", name, strings.Join(f.of.names, ", "))
	default:
		name, file = "", text
	}
	if file == "" {
		return fmt.Errorf("no FILE follows %s=", name)
	}
	f.of.drawn, f.of.figure = name, file
	return nil
}

// draws reports whether a figure of a name is asked for.
func (f *pageFlags) draws(name string) bool { return f.figure != "" && f.drawn == name }

// files are those that are written.
func (f *pageFlags) files() []string { return []string{f.page, f.figure} }

// needs refuses a figure of what is not asked for: of each name the flag that asks.
func (f *pageFlags) needs(asked map[string]string, changed func(flag string) bool) error {
	if flag := asked[f.drawn]; flag != "" && !changed(flag) {
		return cli.Usagef("--figure %s=%s draws what --%s asks for", f.drawn, f.figure, flag)
	}
	return nil
}

// pageTitle is the title of the pages that verbs write.
const pageTitle = "pairrank report"

// told is a document of a page, with the file that it is of.
type told struct {
	file     string
	document report.Document
}

// writePages writes the page of some documents, and a figure of the first.
func (a *app) writePages(ctx context.Context, f *pageFlags, documents ...told) error {
	for _, d := range documents {
		a.Annotate(d.document)
	}
	var failed error
	if f.page != "" {
		failed = a.writePage(ctx, f.page, func(p *page.Page) error {
			for _, d := range documents {
				if err := p.Add(cli.Shown(d.file), d.document); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if f.figure == "" {
		return failed
	}
	svg, err := page.Figure(documents[0].document, f.drawn)
	if err != nil {
		return errors.Join(failed, err)
	}
	return errors.Join(failed, a.WriteUnder(ctx, f.figure, func(w io.Writer) error {
		_, err := io.WriteString(w, svg)
		return err
	}))
}

// present writes the page and the figure of a document of a file, and prints the document, which a page that fails does
// not take along.
func (a *app) present(f *pageFlags, file string, d report.Document) error {
	pages := a.writePages(a.Ctx, f, told{file, d})
	return errors.Join(pages, a.Print(a.Ctx, d))
}

// writePage writes a page that fill fills.
func (a *app) writePage(ctx context.Context, path string, fill func(p *page.Page) error) error {
	p := page.New(pageTitle)
	if err := fill(p); err != nil {
		return err
	}
	return a.WriteUnder(ctx, path, p.Write)
}
