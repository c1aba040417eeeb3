package spell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Once states a text about several subjects once, in the order of first use. The zero value is
// empty.
type Once struct {
	texts    []string
	subjects [][]string
}

// Add states a text about a subject; the text begins with its verb, such as "is undefined". Cost
// O(texts).
func (o *Once) Add(subject, text string) {
	at := slices.Index(o.texts, text)
	if at < 0 {
		at = len(o.texts)
		o.texts, o.subjects = append(o.texts, text), append(o.subjects, nil)
	}
	o.subjects[at] = append(o.subjects[at], subject)
}

// plurals are verb forms for several subjects, by the form for one.
var plurals = map[string]string{"is": "are", "has": "have", "differs": "differ", "looks": "look"}

// Sentences returns the texts, each after its subjects.
func (o *Once) Sentences() (sentences []string) {
	for k, text := range o.texts {
		verb, rest, _ := strings.Cut(text, " ")
		if many := plurals[verb]; many != "" && len(o.subjects[k]) > 1 {
			verb = many
		}
		sentences = append(sentences, List(o.subjects[k])+" "+verb+" "+rest)
	}
	return sentences
}

// Each calls yield with each text and its subjects.
func (o *Once) Each(yield func(subjects []string, text string)) {
	for k, text := range o.texts {
		yield(o.subjects[k], text)
	}
}

// List joins names for a sentence: a, b and c.
func List(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// First quotes a few names, and counts the others.
func First(names []string) string {
	const few = 3
	var quoted []string
	for _, name := range names[:min(len(names), few)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	if n := len(names) - few; n > 0 {
		quoted = append(quoted, fmt.Sprintf("%d more", n))
	}
	return List(quoted)
}

// Letter is the short name of ranking k: A to Z, then AA and so on, in O(log k).
func Letter(k int) string {
	name := string(rune('A' + k%26))
	if k < 26 {
		return name
	}
	return Letter(k/26-1) + name
}
