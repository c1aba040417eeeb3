package main

import (
	"os"
	"path/filepath"
	"testing"

	"pairrank/evidence/papers/experiment"
)

const pages = ".."

// Every number of a page is that of its record, every section of a page is
// in the record, and the figures are there.
func TestPagesAreTheirRecords(t *testing.T) {
	for _, p := range programs {
		record, err := experiment.ReadRecord(filepath.Join(pages, p.name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(pages, p.name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		if len(record.Sections) == 0 {
			t.Errorf("%s has no record", p.name)
		}
		for _, s := range record.Sections {
			text, found := experiment.Spliced(string(page), s.Name)
			if want := s.Markdown(); !found || text != want {
				t.Errorf("%s.md: section %s is not what %s.json says: %q, not %q", p.name, s.Name, p.name, text, want)
			}
			for _, b := range s.Blocks {
				if b.Figure == nil {
					continue
				}
				if _, err := os.Stat(filepath.Join(pages, b.Figure.File)); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// The table of findings is that of the records.
func TestTableIsTheRecords(t *testing.T) {
	all, err := findings(pages)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(pages, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if text, found := experiment.Spliced(string(page), "findings"); !found || text != experiment.Summary(all) {
		t.Errorf("the table is not what the records say; `go -C evidence/papers run ./all -table -o .` writes it")
	}
}
