// Package quote writes the fields of tables of text: what a reader of tables reads back.
package quote

import (
	"fmt"
	"strings"
)

// AppendField appends a field of text with the separator sep, quoted where necessary, in O(length
// of the text). It returns an error for a text with a line end.
func AppendField(line []byte, text string, sep byte) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return line, fmt.Errorf("text with a line end cannot be written: %q", text)
	}
	plain := text != "" && strings.IndexByte(text, sep) < 0 && text[0] != '"' && text[0] != '#' &&
		strings.Trim(text, " \t") == text
	if plain {
		return append(line, text...), nil
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(text, `"`, `""`)...)
	return append(line, '"'), nil
}
