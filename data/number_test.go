package data

import "testing"

// TestNumber: row i has the number of the (i+1)th row of the input that is not absent.
func TestNumber(t *testing.T) {
	for mask := range 1 << 9 {
		s, want := &Set{}, []int(nil)
		for n := range 9 {
			if mask>>n&1 == 1 {
				s.Absent = append(s.Absent, n)
			} else {
				want = append(want, n)
			}
		}
		for i, n := range want {
			if got := s.Number(i); got != n {
				t.Errorf("absent %v: row %d has the number %d, want %d", s.Absent, i, got, n)
			}
		}
	}
}
