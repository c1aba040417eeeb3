package cli

import "strings"

// CommandLine is the command line as a shell reads it.
func (a *App) CommandLine() string {
	words := []string{"pairrank"}
	for _, arg := range a.Args {
		words = append(words, forShell(arg))
	}
	return strings.Join(words, " ")
}

// forShell is an argument between single quotes, if a shell would change it otherwise.
func forShell(arg string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%^"
	if arg != "" && strings.Trim(arg, plain) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
