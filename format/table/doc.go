// Package table reads and writes data that comes as tables: CSV and TSV text,
// .npy and .npz files, kernel matrices, lists with one entry a line, preferences,
// and relational data: nodes with ids and features, similarity matrices with ids,
// edges between nodes.
//
// Text may be compressed by gzip or zstd, recognised by content. Fields are
// separated by tabs in .tsv and by commas in .csv files, else by what the first
// line has: tab, comma, semicolon or blanks. A field may stand in double
// quotes, within which two quotes mean one. Blank lines and lines that start
// with '#' are skipped.
//
// What cannot be read is refused with a *SyntaxError that gives file, line,
// column and text. NaN and infinities are not numbers here; where a value may
// be missing, "NaN", "NULL", "NA" and the empty field say so.
package table
