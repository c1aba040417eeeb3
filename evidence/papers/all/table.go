package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"pairrank/evidence/papers/experiment"
)

// writeTable puts the findings of all records of a folder into its README.md.
func writeTable(folder string) error {
	found, err := findings(folder)
	if err != nil {
		return err
	}
	page := filepath.Join(folder, "README.md")
	if _, err := os.Stat(page); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(page, []byte("# The papers, and what is found here\n"), 0o666); err != nil {
			return err
		}
	}
	return experiment.Splice(page, "findings", experiment.Summary(found))
}

// writePages puts every section of the records of a folder into its page.
func writePages(folder string) error {
	for _, p := range programs {
		record, err := experiment.ReadRecord(filepath.Join(folder, p.name+".json"))
		if err != nil {
			return err
		}
		for _, s := range record.Sections {
			if err := experiment.Splice(filepath.Join(folder, p.name+".md"), s.Name, s.Markdown()); err != nil {
				return err
			}
		}
	}
	return nil
}

// findings are those of the records of a folder, in the order of the programs.
func findings(folder string) (all []experiment.Finding, err error) {
	for _, p := range programs {
		record, err := experiment.ReadRecord(filepath.Join(folder, p.name+".json"))
		if err != nil {
			return nil, err
		}
		all = append(all, record.Findings()...)
	}
	return all, nil
}
