// Strings ranks words by a kernel of its own: how many pieces of two letters
// two words share. Nothing is turned into features; the kernel matrix is all
// that the learner sees.
//
//	go run ./examples/strings
package main

import (
	"context"
	"fmt"
	"log"
	"math"

	"pairrank"
	"pairrank/data"
	"pairrank/kernel"
)

// pieces counts the pairs of neighbouring letters of a word, its ends included.
func pieces(word string) map[string]float64 {
	counts := map[string]float64{}
	word = "^" + word + "$"
	for i := range len(word) - 1 {
		counts[word[i:i+2]]++
	}
	return counts
}

// similarity is the cosine of the counts: positive semidefinite, as it is an
// inner product.
func similarity(a, b string) float64 {
	x, z := pieces(a), pieces(b)
	return dot(x, z) / math.Sqrt(dot(x, x)*dot(z, z))
}

// dot adds whole numbers, so that the order of the map does not matter.
func dot(x, z map[string]float64) (sum float64) {
	for piece, count := range x {
		sum += count * z[piece]
	}
	return sum
}

func main() {
	// The longer an action lasts, the higher its label.
	words := []string{"walking", "talking", "singing", "walked", "talked", "asked", "walk", "talk", "sing", "ask"}
	labels := []float64{3, 3, 3, 2, 2, 2, 1, 1, 1, 1}
	unseen := []string{"balk", "balked", "balking", "milk", "milked", "milking"}

	// Leave each pair out: does training on the others put it in its order?
	result, err := pairrank.Train(context.Background(), pairrank.Problem{
		Set:    &data.Set{Y: labels, Queries: data.OneList(len(words))},
		Kernel: kernel.Gram(words, similarity),
	}, pairrank.Options{Lambdas: []float64{0.1, 1, 10}})
	check(err)
	choice := result.Choice
	fmt.Printf("λ = %g orders %.0f%% of %d held-out pairs\n", choice.Lambda, 100*(1-choice.Error), choice.Pairs)

	// Score words that were not there; only their differences mean something.
	scores, err := result.Model.Score(&data.Set{X: kernel.Cross(unseen, words, similarity),
		Queries: data.OneList(len(unseen))})
	check(err)
	for i, word := range unseen {
		fmt.Printf("%5.2f  %s\n", scores[i], word)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
