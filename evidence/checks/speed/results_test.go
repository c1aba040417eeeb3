package main

import "testing"

func TestDifference(t *testing.T) {
	const model = "lambda 2\nrows 7\nweights\n-1\n0.5\n"
	for _, c := range []struct{ after, want string }{
		{model, "same bytes"},
		{"lambda 2\nrows 7\nweights\n-1\n0.51\n", "numbers within 1e-02"},
		{"lambda 2\nrows 7\nweights\n-1\n", "2 and 1 numbers"},
		{model + "seconds 3 training\n", "the same"},
		{"lambda 4\nrows 7\nweights\n-1\n0.5\n", "facts within 5e-01"},
		{"lambda 2\nrows 7\nsubstitutes 3\nweights\n-1\n0.5\n", "1 other lines"},
	} {
		if got := difference([]byte(model), []byte(c.after)); got != c.want {
			t.Errorf("%q differs as %q, want %q", c.after, got, c.want)
		}
	}
}
