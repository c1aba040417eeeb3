package jsonrows

import (
	"encoding/json"
	"iter"
)

// Depth is how deep lists and objects of a text lie in each other, counted without
// recursion, up to the first place where it is more than most. The text need not be
// valid.
func Depth(text []byte, most int) (depth int) {
	open := 0
	for i := 0; i < len(text) && depth <= most; i++ {
		switch text[i] {
		case '"':
			i = quoted(text, i) - 1
		case '[', '{':
			open++
			depth = max(depth, open)
		case ']', '}':
			open--
		}
	}
	return depth
}

// quoted is the place behind the string that begins at place i.
func quoted(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// IsList reports whether a valid value is a list, by its first character.
func IsList(value []byte) bool { return first(value) == '[' }

// IsObject reports whether a valid value is an object.
func IsObject(value []byte) bool { return first(value) == '{' }

func first(value []byte) byte {
	s := scanner{text: value}
	if s.space(); s.at == len(value) {
		return 0
	}
	return value[s.at]
}

// Elements are the elements of a list that json.Valid accepts.
func Elements(list []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		s := scanner{text: list}
		s.take('[')
		for k, before := 0, 0; !s.take(']') && s.at > before; k++ {
			before = s.at
			if !yield(k, s.value()) {
				return
			}
			s.take(',')
		}
	}
}

// Fields are the keys and values of an object that json.Valid accepts, in their order,
// those that stand twice too.
func Fields(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for key, value := range Members(object) {
			if !yield(Text(key), value) {
				return
			}
		}
	}
}

// Members are Fields whose keys are as they stand, with their quotes: Text reads them.
func Members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		s := scanner{text: object}
		s.take('{')
		for before := 0; !s.take('}') && s.at > before; {
			before = s.at
			key := s.value()
			s.take(':')
			if !yield(key, s.value()) {
				return
			}
			s.take(',')
		}
	}
}

// value is the next value, without the blanks around it.
func (s *scanner) value() []byte {
	s.space()
	from, open := s.at, 0
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			s.at = quoted(s.text, s.at)
			if open == 0 {
				return s.text[from:s.at]
			}
			continue
		case '[', '{':
			open++
		case ']', '}':
			if open--; open < 0 {
				return s.text[from:s.at]
			}
			if open == 0 {
				s.at++
				return s.text[from:s.at]
			}
		case ',', ':', ' ', '\t', '\n', '\r':
			if open == 0 {
				return s.text[from:s.at]
			}
		}
		s.at++
	}
	return s.text[from:]
}

// Text is a valid string without its quotes and escapes.
func Text(value []byte) string {
	for k, c := range value {
		if c == '\\' || c >= 0x80 || k == 0 && c != '"' {
			var text string
			if json.Unmarshal(value, &text) != nil {
				return ""
			}
			return text
		}
	}
	if len(value) < 2 {
		return ""
	}
	return string(value[1 : len(value)-1])
}

// Number is a valid value that is a number which a float64 holds.
func Number(value []byte) (float64, bool) {
	s := scanner{text: value, powers: powers()}
	s.space()
	v, ok := s.number()
	return v, ok && s.end()
}
