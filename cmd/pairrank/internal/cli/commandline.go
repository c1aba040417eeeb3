package cli

import (
	"strings"

	"pairrank/internal/quote"
)

// CommandLine is the command line as a shell reads it.
func (a *App) CommandLine() string {
	words := []string{"pairrank"}
	for _, arg := range a.Args {
		words = append(words, quote.ForShell(arg))
	}
	return strings.Join(words, " ")
}
