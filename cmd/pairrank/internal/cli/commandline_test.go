package cli

import "testing"

func TestCommandLine(t *testing.T) {
	a := &App{Args: []string{"cv", "a b.csv", "--lambdas", "2^-3:2^9:7", "it's", "", "x$y", "--against", "--features 3"}}
	want := `pairrank cv 'a b.csv' --lambdas 2^-3:2^9:7 'it'\''s' '' 'x$y' --against '--features 3'`
	if got := a.CommandLine(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
