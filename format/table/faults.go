package table

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"pairrank/internal/cellfault"
)

// reason is why a field or a line is refused.
type reason = cellfault.Reason

var (
	errMissing error = cellfault.New(cellfault.Missing, "the value is missing")
	errBlank   error = cellfault.New(cellfault.Other, "the value is missing") // in a column that is no feature
	errNoLabel error = cellfault.New(cellfault.Unlabelled, "the label is missing")
	errCommas  error = cellfault.New(cellfault.Signs, "numbers have a decimal comma here, and a decimal point there")
)

// TextError is wrapped by the error of ReadSet about a feature that holds texts.
type TextError struct {
	Column string
	reason *reason
}

// Unwrap returns what the text is.
func (e *TextError) Unwrap() error { return e.reason }

// Error says what the text is, and in which column.
func (e *TextError) Error() string { return e.reason.Text + ", in column " + quotedID(e.Column) }

func newTextError(column, text string) *TextError {
	return &TextError{column, noNumber(text)}
}

// noNumber says what a text is that is no number.
func noNumber(text string) *reason {
	kind, what := formOf(text)
	return cellfault.New(kind, what)
}

// checkText refuses a text that a model and an output cannot keep.
func checkText(text string) error {
	if !utf8.ValidString(text) {
		return cellfault.New(cellfault.Encoding, "the text is not UTF-8")
	}
	return nil
}

// formOf says what a text is that is not read as a number.
func formOf(text string) (kind cellfault.Kind, what string) {
	switch letters := strings.ToLower(text); {
	case infinite(text):
		return cellfault.Infinite, "not a finite number"
	case !utf8.ValidString(text):
		return cellfault.Encoding, "not a finite number, and not UTF-8"
	case len(text) > 1 && text[0] == '#' && strings.ToUpper(text) == text:
		return cellfault.Mark, "an error of a spreadsheet"
	case isMark(letters):
		return cellfault.Mark, "not a number, and not read as a missing value, as NA is"
	case strings.IndexFunc(text, unicode.IsDigit) < 0:
		return cellfault.Text, "not a finite number"
	case isDate(text):
		return cellfault.Date, "a date, not a number"
	case isTime(text):
		return cellfault.Date, "a time, not a number"
	}
	if what := amountOf(text); what != "" {
		return cellfault.Amount, what
	}
	return cellfault.Text, "not a finite number"
}

// amountOf says how a text with digits is a number that is not plain; "" where it is none.
func amountOf(text string) string {
	unit := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsSpace(r) }
	money, number := trimCurrency(text), strings.TrimRightFunc(text, unit)
	switch {
	case strings.HasSuffix(text, "%") && isAmount(strings.TrimRight(text, "% ")):
		return "a percentage, not a plain number"
	case money != text && isAmount(money):
		return "an amount of money, not a plain number"
	case strings.ContainsAny(text[:1], "<>~") && isAmount(strings.TrimLeft(text, "<>=~ ")):
		return "a bound, not a number"
	case isGrouped(text):
		return "a number with thousands separators"
	case isAmount(text):
		return "a number with a decimal comma"
	case isAmount(number) && !isTitle(text[len(number):]):
		return "a number with a unit"
	}
	return ""
}

// isTitle reports whether what stands behind a number is part of a name, as in "100 Grand", and no unit.
func isTitle(text string) bool {
	const longest = 3 // of a unit with a capital, as kHz and GPa without it
	text = strings.TrimSpace(text)
	return len(text) > longest && unicode.IsUpper([]rune(text)[0])
}

// isAmount reports whether a text is a number with a decimal point or comma, also with separators.
func isAmount(text string) bool {
	_, ok := parseDecimal(text)
	return ok || isGrouped(text)
}

// isGrouped reports whether a text is a number whose thousands are separated, as 1,234.5, 1.234,5,
// 1 234 and 1'234.
func isGrouped(text string) bool {
	text = strings.TrimLeft(text, "+-")
	for _, sep := range []string{",", ".", " ", "'", "\u2019", "\u00a0", "\u202f", "_"} {
		groups := strings.Split(text, sep)
		last := len(groups) - 1
		whole, decimals, _ := strings.Cut(strings.Replace(groups[last], ",", ".", 1), ".")
		if last == 0 || !isDigits(groups[0]) || len(groups[0]) > 3 || decimals != "" && !isDigits(decimals) {
			continue
		}
		groups[last] = whole
		grouped := true
		for _, group := range groups[1:] {
			grouped = grouped && len(group) == 3 && isDigits(group)
		}
		if grouped {
			return true
		}
	}
	return false
}

// isDigits reports whether a text has digits alone.
func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// isMark reports whether a text in small letters often stands for a missing value, though it is not
// read as one.
func isMark(text string) bool {
	switch text {
	case "?", "-", "--", "---", "–", "—", "*", "n/a", "none", "nil", "missing", "unknown", "n.a.", "n.d.", "nd",
		"n/d", "(null)":
		return true
	}
	return false
}

// isTime reports whether a text is like 12:30 or 12:30:59.
func isTime(text string) bool {
	return strings.Contains(text, ":") && strings.Trim(text, "0123456789:. ") == ""
}

// trimCurrency removes the sign of a currency at either end.
func trimCurrency(text string) string {
	for _, sign := range []string{"$", "€", "£", "¥", "₹", "USD", "EUR", "GBP", "CHF"} {
		if rest, is := strings.CutPrefix(strings.TrimPrefix(text, "-"), sign); is {
			return strings.TrimSpace(rest)
		}
		if rest, is := strings.CutSuffix(text, sign); is {
			return strings.TrimSpace(rest)
		}
	}
	return text
}
