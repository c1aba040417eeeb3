package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// seededRelations makes nodes, edges and similarity matrices from a seed: of 6 row
// nodes and 5 column nodes, and of 20 and 18, where intervals are made of halves.
func seededRelations(f inputs) {
	r := rand.New(rand.NewPCG(3, 4))
	nodes, cols := nodesOf(f, r, "nodes.tsv", "n", 6), nodesOf(f, r, "cols.tsv", "c", 5)
	edgesOf(f, r, "", nodes, cols, 5)
	similarities(f, nodes)
	f.put("cols.sim", "id%s\n", names("c", "\t", len(cols)))
	for i := range cols {
		f.put("cols.sim", "c%d", i+1)
		for j := range cols {
			f.put("cols.sim", "\t%.4f", dot(cols[i], cols[j])+math.Abs(float64(i-j))/10)
		}
		f.put("cols.sim", "\n")
	}
	f.put("square.tsv", "row_id\tcol_id\tvalue\n")
	f.put("mirror.tsv", "row_id\tcol_id\tvalue\n")
	for i := range nodes {
		for j := range nodes {
			f.put("square.tsv", "n%d\tn%d\t%.2f\n", i+1, j+1, dot(nodes[i], nodes[j])+r.NormFloat64())
			f.put("mirror.tsv", "n%d\tn%d\t%d\n", i+1, j+1, (i*j+i+j)%5)
			if i < j && (i+j)%4 > 0 {
				value := math.Round(10*r.NormFloat64()) / 10
				f.put("half.tsv", "n%d\tn%d\t%g\n", i+1, j+1, value)
				f.put("wins.tsv", "n%d\tn%d\t%g\nn%d\tn%d\t%g\n", i+1, j+1, value, j+1, i+1, -value)
			}
		}
	}
	many, others := nodesOf(f, r, "nodes20.tsv", "m", 20), nodesOf(f, r, "cols18.tsv", "k", 18)
	edgesOf(f, r, "20", many, others, 18)
	f.put("square20.tsv", "row_id\tcol_id\tvalue\n")
	for i := range many {
		for j := range many {
			f.put("square20.tsv", "m%d\tm%d\t%.1f\n", i+1, j+1, dot(many[i], many[j])+r.NormFloat64())
		}
	}
}

// nodesOf makes a table of nodes with two features.
func nodesOf(f inputs, r *rand.Rand, file, prefix string, n int) [][2]float64 {
	nodes := make([][2]float64, n)
	f.put(file, "id\tu\tv\n")
	for i := range nodes {
		for j := range nodes[i] {
			nodes[i][j] = math.Round(100*r.NormFloat64()) / 100
		}
		f.put(file, "%s%d\t%g\t%g\n", prefix, i+1, nodes[i][0], nodes[i][1])
	}
	return nodes
}

func dot(x, z [2]float64) float64 { return x[0]*z[0] + x[1]*z[1] }

// edgesOf makes edges between rows and columns: all of them as triplets and as a
// matrix, of two labels, and some of them in several forms.
func edgesOf(f inputs, r *rand.Rand, ending string, nodes, cols [][2]float64, width int) {
	row, col := "n", "c"
	if ending != "" {
		row, col = "m", "k"
	}
	all, some, two, twice, matrix, bare, turned := "edges"+ending+".tsv", "some"+ending+".tsv",
		"two-edges"+ending+".tsv",
		"twice"+ending+".tsv", "matrix"+ending+".csv", "bare-matrix"+ending+".txt", "turned"+ending+".csv"
	f.put(all, "row_id\tcol_id\tvalue\n")
	f.put(two, "row_id\tcol_id\tvalue\n")
	f.put(matrix, "id%s\n", names(col, ",", width))
	for i := range nodes {
		var values, observed []string
		for j := range cols {
			value := math.Round(100*(dot(nodes[i], cols[j])+r.NormFloat64()/2)) / 100
			f.put(all, "%s%d\t%s%d\t%g\n", row, i+1, col, j+1, value)
			f.put(turned, "%s%d,%s%d,%g\n", col, j+1, row, i+1, value)
			f.put(two, "%s%d\t%s%d\t%d\n", row, i+1, col, j+1, map[bool]int{true: 1}[value > 0.3])
			values = append(values, fmt.Sprint(value))
			if (i+j)%3 == 0 {
				observed = append(observed, []string{"NaN", "", "NA", "NULL"}[(i+2*j)%4])
				continue
			}
			observed = append(observed, fmt.Sprint(value))
			f.put(some, "%s%d\t%s%d\t%g\n", row, i+1, col, j+1, value)
			for k := range 1 + (i*j)%2 {
				f.put(twice, "%s%d\t%s%d\t%g\n", row, i+1, col, j+1, value+float64(k))
			}
		}
		f.put(matrix, "%s%d,%s\n", row, i+1, strings.Join(observed, ","))
		f.put(bare, "%s\n", strings.Join(values, " "))
	}
}

// similarities makes square matrices of the nodes: one that may be learnt from, one
// with negative eigenvalues, one that is not symmetric, and those of new nodes.
func similarities(f inputs, nodes [][2]float64) {
	files := []string{"sim.tsv", "indefinite.tsv", "crooked.tsv"}
	for _, name := range files {
		f.put(name, "id%s\n", names("n", "\t", len(nodes)))
	}
	for i := range nodes {
		var line [3]strings.Builder
		for j := range nodes {
			k := math.Round(1e4*math.Pow(1+dot(nodes[i], nodes[j])/4, 2)) / 1e4
			fmt.Fprintf(&line[0], "\t%g", k)
			if i != j && (i+j)%2 == 0 {
				k -= 3
			}
			fmt.Fprintf(&line[1], "\t%g", k)
			fmt.Fprintf(&line[2], "\t%g", k+float64(i)/50)
		}
		for k, name := range files {
			f.put(name, "n%d%s\n", i+1, &line[k])
		}
		f.put("bare-sim.txt", "%s\n", strings.TrimPrefix(strings.ReplaceAll(line[0].String(), "\t", " "), " "))
	}
	f.put("new-sim.tsv", "id%s\nz1", names("n", "\t", len(nodes)))
	f.put("self-sim.tsv", "id%s\tz1\tz2\nz1", names("n", "\t", len(nodes)))
	for j := range nodes {
		f.put("new-sim.tsv", "\t%g", nodes[j][0])
		f.put("self-sim.tsv", "\t%g", nodes[j][0])
	}
	f.put("new-sim.tsv", "\nz2")
	f.put("self-sim.tsv", "\t5\t1\nz2")
	for j := range nodes {
		f.put("new-sim.tsv", "\t%g", nodes[j][1]/2)
		f.put("self-sim.tsv", "\t%g", nodes[j][1]/2)
	}
	f.put("new-sim.tsv", "\n")
	f.put("self-sim.tsv", "\t1\t4\n")
}
