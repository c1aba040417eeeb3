package cli

import (
	"strings"
	"unicode/utf8"
)

// wrapText breaks a text of paragraphs and lists into lines of at most width
// characters. Lines that begin at the left are a paragraph. A line further in is an
// item of a list, which goes on in lines below its text:
//
//	term   text of the item
//	       that goes on
func wrapText(text string, width int) string {
	var out []string
	for _, p := range paragraphs(text) {
		out = append(out, fill(p.words, p.lead, strings.Repeat(" ", p.hang), "", width))
	}
	return strings.Join(out, "\n")
}

// paragraph is words that are filled into lines: the first begins with lead, the
// others hang blanks in.
type paragraph struct {
	lead  string
	hang  int
	words []string
}

// paragraphs is the text as written by hand, at its own line ends.
func paragraphs(text string) []paragraph {
	var list []paragraph
	open := false // the last one may go on
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		body := strings.TrimLeft(line, " ")
		in := len(line) - len(body)
		_, item, isItem := strings.Cut(body, "  ")
		isItem = isItem && in > 0
		switch {
		case body == "":
			list, open = append(list, paragraph{}), false
			continue
		case isItem:
			item = strings.TrimLeft(item, " ")
			lead := strings.TrimSuffix(line, item)
			list = append(list, paragraph{lead, utf8.RuneCountInString(lead), strings.Fields(item)})
		case open && in == list[len(list)-1].hang:
			last := &list[len(list)-1]
			last.words = append(last.words, strings.Fields(body)...)
		default:
			list = append(list, paragraph{line[:in], in, strings.Fields(body)})
		}
		open = true
	}
	return list
}

// fill joins words to lines of at most width characters, as far as no word is
// longer: the first line begins with lead, the others with hang, and all but the
// last end with more.
func fill(words []string, lead, hang, more string, width int) string {
	var b strings.Builder
	line, empty := lead, true
	for i, word := range words {
		room := width
		if i < len(words)-1 {
			room -= utf8.RuneCountInString(more)
		}
		switch {
		case empty:
			line += word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= room:
			line += " " + word
		default:
			b.WriteString(line + more + "\n")
			line = hang + word
		}
		empty = false
	}
	b.WriteString(line)
	return b.String()
}

// wrapCommand breaks a line of a shell between its arguments, with a backslash, so
// that it may still be copied.
func wrapCommand(line string, width int) string {
	body := strings.TrimLeft(line, " ")
	in := line[:len(line)-len(body)]
	hang := in + "    "
	return fill(withValues(arguments(body), width-len(hang)), in, hang, ` \`, width)
}

// arguments splits a line of a shell at the blanks that no quotes hold.
func arguments(line string) []string {
	var list []string
	quote, start := byte(0), 0
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ' ':
			if i > start {
				list = append(list, line[start:i])
			}
			start = i + 1
		}
	}
	if start < len(line) {
		list = append(list, line[start:])
	}
	return list
}

// withValues joins a flag, and what redirects, to its value, where both have room on
// a line.
func withValues(arguments []string, room int) []string {
	var list []string
	for i := 0; i < len(arguments); i++ {
		text := arguments[i]
		takes := text == ">" || text == "|" || len(text) > 1 && text[0] == '-'
		if takes && i+1 < len(arguments) {
			value := arguments[i+1]
			isValue := value == "-" || !strings.ContainsAny(value[:1], "-|>")
			if isValue && utf8.RuneCountInString(text+" "+value+` \`) <= room {
				text += " " + value
				i++
			}
		}
		list = append(list, text)
	}
	return list
}
