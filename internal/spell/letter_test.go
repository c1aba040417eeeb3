package spell

import "testing"

func TestLettersOfRankings(t *testing.T) {
	for k, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 26 + 26*26: "AAA"} {
		if got := Letter(k); got != want {
			t.Errorf("ranking %d is %s, want %s", k, got, want)
		}
	}
}
