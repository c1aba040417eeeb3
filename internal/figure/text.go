package figure

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// letterSize is the size of the letters of drawings, in their units.
const letterSize = 13

// narrow and broad are letters that differ from the usual width.
const (
	narrow = "iljtfrI.,:;|!'’()[]{}/\\ -·"
	broad  = "mwMWQOGD%@—…=+−±<>~λ"
)

// bold is how much wider letters are that are bold.
const bold = 1.13

// width is an upper bound for the width of a text in an unknown font: that of DejaVu Sans, the
// widest of the usual ones.
func width(text string) float64 {
	em := 0.0
	for _, r := range text {
		switch {
		case strings.ContainsRune(narrow, r):
			em += 0.42
		case strings.ContainsRune(broad, r):
			em += 0.98
		case r >= 0x1100 || !unicode.IsPrint(r): // which is the replacement character
			em += 1.1
		case unicode.IsUpper(r):
			em += 0.76
		default:
			em += 0.64
		}
	}
	return em * letterSize
}

// Visible returns a text that XML can hold and a reader can see, in O(its length): invalid and
// unprintable characters, such as those that change the direction of text, become the replacement
// character.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// escaped is a text as it stands in an element or attribute.
func escaped(text string) string { return html.EscapeString(Visible(text)) }

// clip shortens a text to be drawn at most so wide, with an ellipsis in its middle,
// where names differ least.
func clip(text string, most float64) string {
	text = Visible(text)
	if width(text) <= most {
		return text
	}
	runes := []rune(text)
	short := func(keep int) string {
		front := (keep + 1) / 2
		return string(runes[:front]) + "…" + string(runes[len(runes)-(keep-front):])
	}
	least := width("l") // of a letter, so that a long text is not tried letter by letter
	keep := min(len(runes)-1, int(most/least))
	for keep > 0 && width(short(keep)) > most {
		keep--
	}
	return short(keep)
}

// wrap breaks a text into lines of at most a width; a word that is wider is clipped.
func wrap(text string, most float64) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(Visible(text)) {
		word = clip(word, most)
		switch {
		case line == "":
			line = word
		case width(line+" "+word) <= most:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}
