package main

import (
	"fmt"
	"math"
	"strings"

	"pairrank/evidence/papers/experiment"
)

// column is a heading for every variant, threads outermost.
func (m *measurement) heading(first string, last ...string) string {
	cells := []string{first}
	for _, v := range m.variants(0) {
		cells = append(cells, fmt.Sprintf("%s, %d", v.name, v.threads))
	}
	cells = append(cells, last...)
	return "| " + strings.Join(cells, " | ") + " |\n|" + strings.Repeat("---|", len(cells)) + "\n"
}

func (m *measurement) commandHead() string {
	last := m.verdictHead()
	if last != nil {
		last = append(last, "what they write")
	}
	return "\nSeconds of whole commands: clock (processor time), peak memory in MB; tree, threads.\n\n" +
		m.heading("command", last...)
}

// verdictHead is the heading of the column of verdicts, if there are two trees.
func (m *measurement) verdictHead() []string {
	if len(m.trees) < 2 {
		return nil
	}
	return []string{fmt.Sprintf("verdict, threads %s: medians of after/before, least times", m.threads)}
}

// commandLine is one row: what its limit ended has a > before it.
func (m *measurement) commandLine(row commandRow, samples map[variant][]sample) string {
	cells := []string{row.name}
	for _, v := range m.variants(0) {
		var cpu []float64
		peak, sign := 0, ""
		for _, s := range samples[v] {
			cpu = append(cpu, s.CPU)
			peak = max(peak, s.Peak)
			if s.ended {
				sign = "> "
			}
		}
		cells = append(cells, fmt.Sprintf("%s%s (%s), %.0f, n=%d", sign, experiment.Digits(clock(samples[v])),
			experiment.Digits(experiment.Median(cpu)), float64(peak)/1e6, len(cpu)))
	}
	if len(m.trees) == 2 {
		cells = append(cells, m.judge(row.name, func(v variant) (took, peak []float64) {
			for _, s := range samples[v] {
				took, peak = append(took, s.CPU), append(peak, float64(s.Peak))
			}
			return took, peak
		}), m.compared(samples))
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// clock is the median of the clock seconds of some runs.
func clock(samples []sample) float64 {
	var seconds []float64
	for _, s := range samples {
		seconds = append(seconds, s.Seconds)
	}
	return experiment.Median(seconds)
}

// compared says how what the runs made differs before and after, with each number of threads.
func (m *measurement) compared(samples map[variant][]sample) string {
	var words []string
	for _, threads := range m.counts {
		before, after := samples[variant{m.trees[0], threads}], samples[variant{m.trees[1], threads}]
		if len(before) == 0 || before[len(before)-1].ended || after[len(after)-1].ended {
			words = append(words, "not compared")
			continue
		}
		words = append(words, difference(before[len(before)-1].made, after[len(after)-1].made))
	}
	return strings.Join(words, "; ")
}

func (m *measurement) benchmarkHead() string {
	return "\nGo benchmarks: milliseconds; tree, threads.\n\n" + m.heading("benchmark", m.verdictHead()...)
}

// benchmarkLines are the benchmarks of a package, and the geometric mean of their
// ratios.
func (m *measurement) benchmarkLines(row benchmarkRow, found timings) string {
	var text strings.Builder
	logs := make([]float64, len(m.counts))
	compared := 0
	for _, name := range found.names {
		of := found.of[name]
		cells := []string{row.pkg + " " + strings.TrimPrefix(name, "Benchmark")}
		for _, v := range m.variants(0) {
			if len(of[v]) == 0 {
				cells = append(cells, "–")
				continue
			}
			cells = append(cells, experiment.Digits(experiment.Median(of[v])/1e6))
		}
		if len(m.trees) == 2 {
			cells = append(cells, m.judge(cells[0], func(v variant) (took, peak []float64) { return of[v], of[v] }))
		}
		ratios := m.ratios(of)
		for k, r := range ratios {
			logs[k] += math.Log(r)
		}
		if len(ratios) > 0 {
			compared++
		}
		text.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	if compared > 0 {
		cells := []string{fmt.Sprintf("**%s, %d benchmarks, geometric mean**", row.pkg, compared)}
		cells = append(cells, make([]string, len(m.variants(0)))...)
		var means []string
		for _, l := range logs {
			means = append(means, fmt.Sprintf("**%.3f**", math.Exp(l/float64(compared))))
		}
		cells = append(cells, strings.Join(means, "; "))
		text.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return text.String()
}

// ratios are, for each number of threads, the median over rounds of after beside
// before; none where only one tree has the benchmark.
func (m *measurement) ratios(of map[variant][]float64) (all []float64) {
	if len(m.trees) < 2 {
		return nil
	}
	for _, threads := range m.counts {
		before, after := of[variant{m.trees[0], threads}], of[variant{m.trees[1], threads}]
		if len(before) == 0 || len(before) != len(after) {
			return nil
		}
		all = append(all, newVerdict(before, after).median)
	}
	return all
}
