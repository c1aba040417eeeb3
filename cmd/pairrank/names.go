package main

import (
	"errors"
	"fmt"
	"pairrank/cmd/pairrank/internal/cli"
	"unicode/utf8"
)

// notUTF8 tells of every name that is not UTF-8, which a model cannot keep. what
// is what they are names of.
func notUTF8(what string, names []string) (problems []string) {
	for k, name := range names {
		if !utf8.ValidString(name) {
			problems = append(problems, fmt.Sprintf("the name of %s %d is not UTF-8: %.60q", what, k+1, name))
		}
	}
	return problems
}

// checkUTF8 refuses names from a file that are not UTF-8, before a model is
// learnt that could not be written.
func checkUTF8(path, what string, names []string) error {
	problems := notUTF8(what, names)
	if problems == nil {
		return nil
	}
	text := path + ": " + problems[0]
	if n := len(problems); n > 1 {
		text += fmt.Sprintf(", and %d more", n-1)
	}
	return cli.WithHint(cli.AsData(errors.New(text)), "iconv -f latin1 -t utf-8 makes UTF-8 of the most usual older encoding")
}
