// Graphs ranks labelled graphs by a kernel of its own: the candidate parses of
// sentences, whose words are nodes with a part of speech and whose links are edges.
// The learner sees the kernel matrix alone, and new graphs as rows of kernel values.
//
//	go run ./examples/graphs
//
// The kernel is the shortest-path kernel of Borgwardt and Kriegel 2005, Shortest-path
// kernels on graphs; ranking parses by a graph kernel is the task of Pahikkala,
// Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm for learning to
// rank from preference graphs, section 5.2. The sentences are made.
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"pairrank"
	"pairrank/data"
	"pairrank/kernel"
)

// graph is a graph with a letter for each node: D, A, N, V or P, as determiner,
// adjective, noun, verb or preposition.
type graph struct {
	labels string
	edges  [][2]int
	paths  []path // shortest ones, between every two nodes
}

// path is a shortest path: the labels of its ends, the lesser one first, and its length.
type path struct {
	from, to byte
	length   int
}

// newGraph is a connected graph with its shortest paths (Floyd and Warshall).
func newGraph(labels string, edges ...[2]int) graph {
	g, n := graph{labels: labels, edges: edges}, len(labels)
	distance := make([][]int, n)
	for i := range distance {
		distance[i] = make([]int, n)
		for j := range distance[i] {
			if i != j {
				distance[i][j] = n // farther than any
			}
		}
	}
	for _, e := range edges {
		distance[e[0]][e[1]], distance[e[1]][e[0]] = 1, 1
	}
	for k := range n {
		for i := range n {
			for j := range n {
				distance[i][j] = min(distance[i][j], distance[i][k]+distance[k][j])
			}
		}
	}
	for i := range n {
		for j := range i {
			g.paths = append(g.paths, path{min(labels[i], labels[j]), max(labels[i], labels[j]), distance[i][j]})
		}
	}
	return g
}

// shortestPaths compares every path of a with every one of b: those with the same ends
// count 2 where they are as long, and 1 where one is longer by one. That is a kernel: a
// sum over pairs of parts of a product of two kernels, one of ends, one of lengths.
func shortestPaths(a, b graph) float64 {
	sum := 0
	for _, p := range a.paths {
		for _, q := range b.paths {
			if p.from == q.from && p.to == q.to {
				sum += max(0, 2-max(p.length-q.length, q.length-p.length))
			}
		}
	}
	return float64(sum)
}

// similarity is the cosine of the kernel, which is 1 for a graph and itself.
func similarity(a, b graph) float64 {
	return shortestPaths(a, b) / math.Sqrt(shortestPaths(a, a)*shortestPaths(b, b))
}

// goodness is the share of the links that join what belongs together.
func (g graph) goodness() float64 {
	good := 0
	for _, e := range g.edges {
		switch a, b := g.labels[e[0]], g.labels[e[1]]; string([]byte{min(a, b), max(a, b)}) {
		case "DN", "AN", "NV", "NP", "PV":
			good++
		}
	}
	return float64(good) / float64(len(g.edges))
}

// candidates are n trees over the words of a sentence, drawn.
func candidates(random *rand.Rand, labels string, n int) (parses []graph) {
	for range n {
		var edges [][2]int
		for i := 1; i < len(labels); i++ {
			edges = append(edges, [2]int{random.IntN(i), i})
		}
		parses = append(parses, newGraph(labels, edges...))
	}
	return parses
}

func main() {
	random := rand.New(rand.NewPCG(1, 2))
	sentences := []string{"DNVDN", "DANVN", "NVPDN", "DNVPN", "ANVDAN", "NVDNPN", "DNPDNV", "DNVAN", "NPNVDN", "DANVPN"}
	var parses []graph
	set := &data.Set{HasQID: true}
	var of []int32
	for q, s := range sentences {
		for _, g := range candidates(random, s, 5) {
			parses, set.Y, of = append(parses, g), append(set.Y, g.goodness()), append(of, int32(q))
		}
	}
	set.Queries = data.NewQueries(of, sentences)

	// Leave each sentence out: are its parses in their order by what the others teach?
	result, err := pairrank.Train(context.Background(), pairrank.Problem{Set: set,
		Kernel: kernel.Gram(parses, similarity)},
		pairrank.Options{Lambdas: []float64{0.01, 0.1, 1, 10}})
	check(err)
	for _, p := range result.Choice.Kernels[0].Outputs[0].Points {
		fmt.Printf("λ = %-4g  error %.3f\n", p.Candidate, p.Error)
	}
	fmt.Printf("chosen: λ = %g, by %d parses of %d sentences\n", result.Choice.Lambda, len(parses), len(sentences))

	// A sentence that was not there: "the old dog sleeps in a barn". A row of kernel
	// values for each parse is all that the model needs.
	const sentence = "DANVPDN"
	unseen := []graph{
		// as it should be
		newGraph(sentence, [2]int{0, 2}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 4}, [2]int{4, 6}, [2]int{5, 6}),
		newGraph(sentence, [2]int{0, 2}, [2]int{1, 2}, [2]int{2, 3}, [2]int{2, 4}, [2]int{4, 5}, [2]int{5, 6}),
		// a chain
		newGraph(sentence, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 4}, [2]int{4, 5}, [2]int{5, 6}),
		// a star
		newGraph(sentence, [2]int{0, 1}, [2]int{0, 2}, [2]int{0, 3}, [2]int{0, 4}, [2]int{0, 5}, [2]int{0, 6}),
	}
	scores, err := result.Model.Score(&data.Set{X: kernel.Cross(unseen, parses, similarity),
		Queries: data.OneList(len(unseen))})
	check(err)
	for i, g := range unseen {
		fmt.Printf("score %+.2f  goodness %.2f\n", scores[i], g.goodness())
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
