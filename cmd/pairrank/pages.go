package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/report/page"
)

// pageFlags are the flags of the verbs that write figures of what they found.
type pageFlags struct{ page, figure string }

// add gives a verb the flags; main is its main figure.
func (f *pageFlags) add(cmd *cobra.Command, main string) {
	cmd.Flags().StringVar(&f.page, "report", "", "`FILE` for a page of figures with their numbers, HTML that needs no other file")
	cmd.Flags().StringVar(&f.figure, "figure", "", "`FILE` for one figure, SVG: "+main)
}

// files are those that are written.
func (f *pageFlags) files() []string { return []string{f.page, f.figure} }

// check refuses standard output, which takes the document.
func (f *pageFlags) check() error {
	if f.page == "-" || f.figure == "-" {
		return cli.Usagef("standard output takes the report for the terminal; --report and --figure write to files")
	}
	return nil
}

// pageTitle is the title of the pages that verbs write.
const pageTitle = "pairrank report"

// told is a document of a page, with the file that it is of.
type told struct {
	file     string
	document any
}

// writePages writes the page of some documents, and the main figure of the first.
func (a *app) writePages(ctx context.Context, f *pageFlags, documents ...told) error {
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
	svg, err := page.Main(documents[0].document)
	if err != nil {
		return errors.Join(failed, err)
	}
	return errors.Join(failed, a.WriteUnder(ctx, f.figure, func(w io.Writer) error {
		_, err := io.WriteString(w, svg)
		return err
	}))
}

// writePage writes a page that fill fills.
func (a *app) writePage(ctx context.Context, path string, fill func(p *page.Page) error) error {
	p := page.New(pageTitle)
	if err := fill(p); err != nil {
		return err
	}
	return a.WriteUnder(ctx, path, p.Write)
}
