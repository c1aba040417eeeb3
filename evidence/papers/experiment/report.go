package experiment

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Section is a part of a page that a program with settings S makes.
type Section[S any] struct {
	Name string
	Make func(ctx context.Context, s S) (Result, error)
}

// Paragraphs makes a section that is text.
func Paragraphs[S any](write func(ctx context.Context, s S) (string, error)) func(context.Context, S) (Result, error) {
	return func(ctx context.Context, s S) (r Result, err error) {
		text, err := write(ctx, s)
		r.Text("%s", strings.TrimSuffix(text, "\n"))
		return r, err
	}
}

// Names are those of the sections, in their order.
func Names[S any](sections []Section[S]) (names []string) {
	for _, s := range sections {
		names = append(names, s.Name)
	}
	return names
}

// Output is where an experiment leaves what it finds.
type Output struct {
	Program string // the experiment's name, which its page and record have
	Folder  string // of page, record and figures; "": the sections are printed alone
	Page    string // the page of an experiment that has no record; "": it has one
	Only    string // sections, with commas; "": all
	Seed    uint64
}

// OutputFlags declares -o, the folder of page, record and figures, and -only, which
// sections of the page are made.
func OutputFlags(program string, sections []string) *Output {
	o := &Output{Program: program}
	flag.StringVar(&o.Folder, "o", "",
		"`FOLDER` in which to replace the page "+program+".md, the record "+program+".json and the figures")
	flag.StringVar(&o.Only, "only", "",
		"sections, separated by commas, of "+strings.Join(sections, ",")+" (default all)")
	return o
}

// Report makes the chosen sections, and publishes each as soon as it is there. It skips a section whose data is
// missing, and reports each section on standard error.
func Report[S any](ctx context.Context, o *Output, sections []Section[S], s S) error {
	chosen, err := Sections(o.Only, Names(sections))
	if err != nil {
		return err
	}
	for _, section := range sections {
		if !slices.Contains(chosen, section.Name) {
			continue
		}
		began := time.Now()
		found, err := section.Make(ctx, s)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "%s: %s is skipped: %v\n", o.Program, section.Name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", section.Name, err)
		}
		seconds := time.Since(began).Seconds()
		if err := o.publish(section.Name, found, seconds); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %s took %.0f s\n", o.Program, section.Name, seconds)
	}
	return nil
}

// publish prints a section, and puts it into page and record where there is a folder.
func (o *Output) publish(section string, found Result, seconds float64) error {
	text := found.Markdown()
	fmt.Printf("<!-- %s -->\n\n%s\n<!-- /%s -->\n\n", section, text, section)
	switch {
	case o.Page != "":
		return Splice(o.Page, section, text)
	case o.Folder == "":
		return nil
	}
	if err := os.MkdirAll(o.Folder, 0o777); err != nil {
		return err
	}
	for _, b := range found.Blocks {
		if b.Figure == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(o.Folder, b.Figure.File), []byte(b.Figure.SVG), 0o666); err != nil {
			return err
		}
	}
	page := filepath.Join(o.Folder, o.Program+".md")
	if _, err := os.Stat(page); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(page, []byte("# "+o.Program+"\n"), 0o666); err != nil {
			return err
		}
	}
	if err := Splice(page, section, text); err != nil {
		return err
	}
	return o.record(section, found, seconds)
}

// record puts a section into the record.
func (o *Output) record(section string, found Result, seconds float64) error {
	path := filepath.Join(o.Folder, o.Program+".json")
	record, err := ReadRecord(path)
	if err != nil {
		return err
	}
	record.Put(SectionRecord{Name: section, Made: made(o.Program, o.Seed, seconds), Result: found})
	return record.Write(path)
}
