package report

import "pairrank/internal/spell"

// Summing is the document of the units of a directory that a worker summed.
type Summing struct {
	Kind      Kind           `json:"kind"`
	Directory string         `json:"directory"`
	Worker    Worker         `json:"worker"`
	Total     int            `json:"total"` // files of all workers
	Files     []Unit         `json:"files"` // files of this worker
	Rows      int64          `json:"rows"`
	Queries   int            `json:"queries"`
	Features  int            `json:"features"` // the largest number in a file
	Seconds   SummingSeconds `json:"seconds"`
	Told
}

// Worker is one of several workers.
type Worker struct {
	Index  int    `json:"index"` // from 0
	Count  int    `json:"count"`
	Source string `json:"source"` // the flags or variables that set it
}

// Unit is a file and its sums.
type Unit struct {
	File     string `json:"file"`
	Unit     string `json:"unit"`   // the file of the sums
	Before   bool   `json:"before"` // it was summed by an earlier run
	Rows     int64  `json:"rows"`
	Queries  int    `json:"queries"`
	Features int    `json:"features"`
}

// SummingSeconds is the time of a worker.
type SummingSeconds struct {
	Work Number `json:"work"`
}

// Add adds a unit.
func (d *Summing) Add(u Unit) {
	d.Files = append(d.Files, u)
	d.Rows += u.Rows
	d.Queries += u.Queries
	d.Features = max(d.Features, u.Features)
}

// View is what the worker summed.
func (d *Summing) View() *View {
	before := 0
	for _, u := range d.Files {
		if u.Before {
			before++
		}
	}
	v := &View{Keys: 10}
	v.state("worker", "index %d of %d: %s", d.Worker.Index, d.Worker.Count, d.Worker.Source)
	v.state("files", "%d of %d: %d summed, %d done before", len(d.Files), d.Total, len(d.Files)-before, before)
	v.state("data", "%d rows, %s, %s", d.Rows, spell.Plural(d.Features, "feature"), spell.Plural(d.Queries, "query"))
	v.state("seconds", "%.3g", float64(d.Seconds.Work))
	v.state("units", "%s", d.Directory)
	return v
}
