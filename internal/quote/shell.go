package quote

import (
	"strings"
	"unicode"
)

// ForShell is an argument between single quotes, if a shell would change it otherwise.
func ForShell(arg string) string {
	changes := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_=+:,./@%^", r)
	}
	if arg != "" && !strings.ContainsFunc(arg, changes) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
