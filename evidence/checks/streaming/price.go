package main

import (
	"pairrank/evidence/papers/experiment"
)

// machine is one of a cluster.
type machine struct {
	name    string
	vcpus   int
	network float64 // Gbit/s
	price   float64 // US$ an hour
}

// machines is how many of them work at once in the table of prices.
const machines = 64

// prices is the table of what many rows cost: seconds is that of one core for a row of
// each number of features, bytes the text of a row.
func (m machine) prices(found *experiment.Result, features []int, seconds, bytes []float64) {
	t := experiment.NewTable("rows", "%.0e", "features", "%.0f", "text, TB", "digits", "core-hours", "digits",
		"hours of 64 machines: their cores", "digits", "their network", "digits", "US$, of the longer", "digits")
	for _, rows := range []float64{1e9, 1e12} {
		for k, n := range features {
			cores := rows * seconds[k] / 3600 / float64(m.vcpus) / machines
			network := rows * bytes[k] * 8 / (m.network * 1e9) / 3600 / machines
			t.Row(rows, n, rows*bytes[k]/1e12, rows*seconds[k]/3600, cores, network,
				max(cores, network)*machines*m.price)
		}
	}
	found.Text("On paper: %s, %d virtual processors, %.4g Gbit/s and US$ %.3f an hour each, as its maker says; a "+
		"virtual processor is taken to be as fast as a core here, and as all are busy. "+
		"Text that is not compressed comes over the network; then the cores wait for it. Storage, requests and the "+
		"merging of the units (megabytes each) are not counted.",
		m.name, m.vcpus, m.network, m.price)
	found.Add(t)
}
