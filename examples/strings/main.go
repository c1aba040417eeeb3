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

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/kernel"
	"pairrank/learn/rls"
	"pairrank/pref"
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

	// One list: every two words are compared.
	ctx := context.Background()
	list := data.OneList(len(words))
	goal, err := pref.Scored(labels, 1, list, pref.Options{})
	check(err)
	path, err := rls.Factor(ctx, rls.Dual(kernel.Gram(words, similarity)), goal)
	check(err)

	// Leave each pair out: does training on the others put it in its order?
	estimates, err := cv.Estimated(ctx, path, cv.Labels{Y: labels, Queries: list}, cv.Options{
		Method: cv.Method{Kind: cv.LeavePairOut}, Lambdas: []float64{0.1, 1, 10},
	})
	check(err)
	best := estimates[0].Points[estimates[0].Best]
	fmt.Printf("λ = %g orders %.0f%% of %d held-out pairs\n", best.Lambda, 100*(1-best.Error), best.Pairs)

	// Score words that were not there; only their differences mean something.
	scores := make([]float64, len(unseen))
	kernel.Cross(unseen, words, similarity).MulVecTo(scores, path.At(best.Lambda).Coef.Data)
	for i, word := range unseen {
		fmt.Printf("%5.2f  %s\n", scores[i], word)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
