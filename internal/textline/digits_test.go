package textline

import "testing"

// A name has lost its digits where a program wrote a large number as a float.
func TestLostDigits(t *testing.T) {
	for name, want := range map[string]bool{
		"1577134800018164904": false, "1.577134800018165e+18": true, "1.57713E+18": true, "1577134800018164900.0": true,
		"1e+05": false, "1e+18": true, "1577e18": false, "20000001.0": false, "q1.5": false, "1+1": false, "": false,
		"9007199254740991.0": false, "9007199254740992.0": true, "-1.5e+17": true, "1.2.3": false, "1e+999": false,
	} {
		if got := LostDigits(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
