// Package svmlight reads and writes the SVMlight and LETOR text format.
//
// A line is one row,
//
//	label [qid:ID] index:value … [# comment]
//
// with a real label, any text without blanks as the name of the query, and
// indices that start at 1 and ascend strictly; an index left out is the value
// 0. Rows of a query may stand anywhere. Blank lines and lines with only a
// comment are skipped; fields are separated by blanks or tabs; lines may end
// in CR LF and the last one in nothing.
//
// What does not follow this is refused with a *SyntaxError that gives file,
// line, column and text: NaN and infinities, repeated or descending indices,
// index 0, a qid after a feature, a qid on some rows only, a file without rows.
//
// ReadFile and ReadAll read a whole file on all cores, EachQuery one query after the
// other on all cores in bounded memory, Reader one row after the other, Check lists everything that is wrong, Writer writes. All of them read
// the same language.
package svmlight
