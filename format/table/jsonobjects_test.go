package table

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkReadObjects reads JSON lines whose members are columns: comparisons with members that do not matter and that
// the first object lacks, and nodes with lists of features.
func BenchmarkReadObjects(b *testing.B) {
	const lines, items, features = 50_000, 100, 20
	var compared, nodes strings.Builder
	compared.WriteString(`{"model_a":"x","model_b":"y","winner":"model_a","turn":1}` + "\n")
	list := strings.Repeat("0.5,", features-1) + "1"
	for k := range lines {
		i := k * 7919 % items
		fmt.Fprintf(&compared, `{"model_a":"model-%d","model_b":"model-%d","winner":"model_a","turn":%d,`+
			`"language":"English","Number of Tokens":%d}`+"\n", i, (i+1+k%(items-1))%items, k%3, k)
		fmt.Fprintf(&nodes, `{"id":"node-%d","features":[%s]}`+"\n", k, list)
	}
	for name, read := range map[string]func() error{
		"comparisons": func() error {
			_, err := ReadComparisonsFrom(strings.NewReader(compared.String()), "t", ComparisonsOptions{})
			return err
		},
		"nodes": func() error {
			_, err := readNodesFrom(strings.NewReader(nodes.String()), "t", NodesOptions{})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(lines*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
