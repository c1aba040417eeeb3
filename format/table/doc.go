// Package table reads and writes tables:
//
//   - CSV and TSV text, .npy and .npz files;
//   - kernel matrices, lists with one entry a line, preferences;
//   - relational data: nodes with ids and features, similarity matrices with ids, edges between
//     nodes.
//
// Text may be compressed by gzip or zstd, recognised by content. Tabs separate fields in .tsv files
// and commas in .csv files; otherwise the first line decides: tab, comma, semicolon or blanks. A
// field may stand in double quotes, within which two quotes mean one. Blank lines and lines that
// start with '#' are skipped.
//
// A file that cannot be read gives a *data.SyntaxError with file, line, column and text. NaN and
// infinities are not numbers here; where a value may be missing, "NaN", "NULL", "NA" and the empty
// field mean so.
package table
