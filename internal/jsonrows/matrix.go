package jsonrows

// Matrix is rows of numbers, one behind the other. Its memory is used again by the next
// call.
type Matrix struct {
	Data []float64 // the numbers of all rows
	Ends []int     // where each row ends in Data
}

// Row is row i, a view.
func (m *Matrix) Row(i int) []float64 {
	lo := 0
	if i > 0 {
		lo = m.Ends[i-1]
	}
	return m.Data[lo:m.Ends[i]]
}

// Ragged is the first row that does not have n numbers, or -1. It costs O(rows).
func (m *Matrix) Ragged(n int) int {
	lo := 0
	for i, hi := range m.Ends {
		if hi-lo != n {
			return i
		}
		lo = hi
	}
	return -1
}

// ReadBody reads an object whose one field, written "rows", is a list of rows of numbers,
// and reports whether the text is that. Memory and time follow the length of the text.
func (m *Matrix) ReadBody(text []byte) bool {
	const key = `"rows"`
	s := &scanner{text: text, powers: powers()}
	if !s.take('{') || !s.word(key) || !s.take(':') || !s.matrix(m) || !s.take('}') {
		return false
	}
	return s.end()
}

// ReadRows is ReadBody for the list alone.
func (m *Matrix) ReadRows(text []byte) bool {
	s := &scanner{text: text, powers: powers()}
	return s.matrix(m) && s.end()
}

// scanner reads a text from place at.
type scanner struct {
	text   []byte
	at     int
	powers *[2*widest + 1]power
}

// space skips the blanks that JSON allows between tokens.
func (s *scanner) space() {
	for s.at < len(s.text) {
		if !isBlank(s.text[s.at]) {
			return
		}
		s.at++
	}
}

// isBlank reports whether JSON allows a character between tokens.
func isBlank(c byte) bool { return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r') }

// take skips one character and the blanks before it.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// word skips a word and the blanks before it.
func (s *scanner) word(word string) bool {
	s.space()
	if len(s.text)-s.at < len(word) || string(s.text[s.at:s.at+len(word)]) != word {
		return false
	}
	s.at += len(word)
	return true
}

// end reports whether only blanks are left.
func (s *scanner) end() bool {
	s.space()
	return s.at == len(s.text)
}

// matrix reads a list of rows.
func (s *scanner) matrix(m *Matrix) bool {
	m.Data, m.Ends = m.Data[:0], m.Ends[:0]
	if !s.take('[') {
		return false
	}
	if s.take(']') {
		return true
	}
	for {
		if !s.take('[') || !s.row(m) {
			return false
		}
		m.Ends = append(m.Ends, len(m.Data))
		if s.take(',') {
			continue
		}
		return s.take(']')
	}
}

// row reads the numbers of a row, whose bracket is open.
func (s *scanner) row(m *Matrix) bool {
	if s.take(']') {
		return true
	}
	for {
		if s.longs(m); s.shorts(m) {
			return true
		}
		s.space()
		v, ok := s.number()
		if !ok {
			return false
		}
		m.Data = append(m.Data, v)
		if s.take(',') {
			continue
		}
		return s.take(']')
	}
}

// shorts reads numbers up to one that short does not read, that is near the end of the text, or that
// has blanks behind it, and reports whether the row ended.
func (s *scanner) shorts(m *Matrix) (ended bool) {
	text, at, values, powers := s.text, s.at, m.Data, s.powers
	for len(text)-at > far {
		if isBlank(text[at]) {
			at++
			continue
		}
		v, n := short((*[far]byte)(text[at:]), powers)
		next := text[at+n]
		if n == 0 || next != ',' && next != ']' {
			break
		}
		values = append(values, v)
		at += n + 1
		if next == ']' {
			ended = true
			break
		}
	}
	s.at, m.Data = at, values
	return ended
}
