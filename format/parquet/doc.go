// Package parquet reads and writes tables as Apache Parquet files, as package table does for text.
//
// Each column of a file is a column of the table:
//
//   - integers of 8 to 64 bits with and without sign, floats of 16, 32 and 64 bits and decimals are
//     numbers; booleans are 1 and 0;
//   - a list of L numbers, L in each row, is the columns name[1] … name[L];
//   - a field b of a struct a is the column a.b;
//   - texts, enumerations and UUIDs name things, or are levels of a factor; texts of numbers are
//     numbers, as in CSV;
//   - null and NaN are missing values;
//   - dates and times name things as in 2024-01-31 23:59:59.5, and are no features; maps, lists of
//     lists and bytes have no place.
//
// An integer is exact where it names a thing. As a feature, one that no float64 holds is an error.
//
// Pages may be compressed by Snappy, gzip, Zstandard or Brotli and have any encoding. Encrypted files
// and pages compressed by LZ4 are not read.
//
// The files are decoded by github.com/parquet-go/parquet-go (docs/decisions/parquet.md).
package parquet
