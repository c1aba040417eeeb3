package table

import (
	"fmt"
	"slices"
	"strings"
)

// spellings lists names that differ by case, blanks or the spelling of accents alone.
func spellings(names []string) (texts []string) {
	if !slices.ContainsFunc(names, func(name string) bool { return !isFolded(name) }) {
		return nil // different names are different keys
	}
	var keys dictionary
	var first []int // name of each key
	for k, name := range names {
		key := composed(folded(name))
		g, is := keys.find(key)
		if !is {
			keys.add(key)
			first = append(first, k)
			continue
		}
		if one := names[first[g]]; folded(one) == folded(name) {
			texts = append(texts, fmt.Sprintf("the names %q and %q differ by case or blanks: they are two items", one, name))
		} else {
			texts = append(texts, fmt.Sprintf("the names %q and %q have accents of two spellings (%+q and %+q): they are two "+
				"items", one, name, one, name))
		}
	}
	return texts
}

// folded is a name in small letters, with one blank between its words.
func folded(name string) string {
	if isFolded(name) {
		return name
	}
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

// isFolded reports whether a name is ASCII without blanks and capital letters, as it would be folded and composed.
func isFolded(name string) bool {
	for k := range len(name) {
		if c := name[k]; c <= ' ' || c > '~' || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// accents are the small Latin letters that have a mark, each after the letter without it, by the mark that is a rune of
// its own in the other spelling.
var accents = map[rune]string{
	'\u0300': "aàeèiìnǹoòuù",
	'\u0301': "aácćeéiílĺnńoórŕsśuúyýzź",
	'\u0302': "aâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷ",
	'\u0303': "aãiĩnñoõuũ",
	'\u0304': "aāeēiīoōuū",
	'\u0306': "aăeĕgğoŏuŭ",
	'\u0307': "cċeėgġzż",
	'\u0308': "aäeëiïoöuüyÿ",
	'\u030a': "aåuů",
	'\u030b': "oőuű",
	'\u030c': "cčdďeěnňrřsštťzž",
	'\u0327': "cçsştţ",
	'\u0328': "aąeęiįuų",
}

// composed is a text with letters and marks as one rune, where accents has them.
func composed(text string) string {
	if isFolded(text) {
		return text
	}
	out := []rune(text)[:0]
	for _, r := range text {
		if pairs, is := accents[r]; is && len(out) > 0 {
			if with := []rune(pairs); replace(&out[len(out)-1], with) {
				continue
			}
		}
		out = append(out, r)
	}
	return string(out)
}

// replace puts the letter with a mark in the place of the one without it.
func replace(r *rune, pairs []rune) bool {
	for k := 0; k < len(pairs); k += 2 {
		if pairs[k] == *r {
			*r = pairs[k+1]
			return true
		}
	}
	return false
}
