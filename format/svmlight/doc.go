// Package svmlight reads and writes the SVMlight and LETOR text format.
//
// A line is one row,
//
//	label [qid:ID] index:value … [# comment]
//
// The label is a real number, the name of the query any text without blanks. Indices start at 1 and
// ascend strictly; an absent index is the value 0. Rows of a query may stand anywhere. Blank lines
// and lines with only a comment are skipped. Blanks or tabs separate fields. Lines may end in CR
// LF; the last one needs no line end.
//
// A reader refuses everything else with a *data.SyntaxError that gives file, line, column and text: NaN
// and infinities, repeated or descending indices, index 0, a qid after a feature, a qid on some
// rows only, a file without rows.
//
//   - ReadFile and ReadAll read a whole file on all cores.
//   - EachQuery reads one query after the other on all cores, in bounded memory.
//   - Reader reads one row after the other.
//   - Check lists everything that is wrong.
//   - Writer writes.
//
// All readers accept the same language.
package svmlight
