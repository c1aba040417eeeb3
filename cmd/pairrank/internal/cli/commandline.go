package cli

import (
	"strings"

	"pairrank/internal/quote"
)

// CommandLine is the command line as a shell reads it.
func (a *App) CommandLine() string {
	words := []string{"pairrank"}
	for _, arg := range a.Args {
		words = append(words, ForShell(arg))
	}
	return strings.Join(words, " ")
}

// ForShell is an argument between single quotes, if a shell would change it otherwise.
func ForShell(arg string) string { return quote.ForShell(arg) }
