package main

import (
	"pairrank/experiments/internal/experiment"
)

// machine is one of a cluster.
type machine struct {
	name  string
	vcpus int
	price float64 // US$ an hour
}

// machines is how many of them work at once in the table of prices.
const machines = 64

// hours of a cluster of so many machines for seconds of one core, and their price.
func (m machine) hours(coreSeconds float64, machines int) (hours, dollars float64) {
	all := coreSeconds / 3600 / float64(m.vcpus) // of one machine
	return all / float64(machines), all * m.price
}

// prices is the table of what many rows cost: seconds is that of one core for a row of
// each number of features, bytes the text of a row.
func (m machine) prices(found *experiment.Result, features []int, seconds, bytes []float64) {
	t := experiment.NewTable("rows", "%.0e", "features", "%.0f", "text, TB", "%.3g", "core-hours", "%.3g", "hours on 64 machines", "%.3g", "US$", "%.3g")
	for _, rows := range []float64{1e9, 1e12} {
		for k, n := range features {
			hours, dollars := m.hours(rows*seconds[k], machines)
			t.Row(rows, n, rows*bytes[k]/1e12, rows*seconds[k]/3600, hours, dollars)
		}
	}
	found.Text("On paper: %s, %d virtual processors at US$ %.3f an hour, each taken to be as fast as a core here and as all are busy; where text is read from a store of objects, %.0f MB/s a machine are needed at %d features.",
		m.name, m.vcpus, m.price, float64(m.vcpus)*bytes[0]/seconds[0]/1e6, features[0])
	found.Add(t)
}
