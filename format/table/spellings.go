package table

import (
	"fmt"
	"strings"
)

// spellings lists names that differ by case, blanks or the spelling of accents alone.
func spellings(names []string) (texts []string) {
	type seen struct{ name, folded string }
	first := map[string]seen{}
	for _, name := range names {
		folded := strings.ToLower(strings.Join(strings.Fields(name), " "))
		key := composed(folded)
		one, is := first[key]
		switch {
		case !is:
			first[key] = seen{name, folded}
		case one.folded == folded:
			texts = append(texts, fmt.Sprintf("the names %q and %q differ by case or blanks: they are two items", one.name,
				name))
		default:
			texts = append(texts, fmt.Sprintf("the names %q and %q have accents of two spellings (%+q and %+q): they are two "+
				"items", one.name, name, one.name, name))
		}
	}
	return texts
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
