// Package parquet lets the readers of package table read Apache Parquet files, in a program that imports it, and writes
// such files. A directory of them is one table: its rows come in the order of the names of the files, which must have
// the same columns. table.ReadSet decodes only the columns that have a role, on all cores; Header and MaxLine do not
// apply, a Separator reads text, and Transpose is an error. A *data.SyntaxError about a file that is damaged or no such
// table has the name of the file, and the row group and column where there is one.
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
// The files are decoded by github.com/parquet-go/parquet-go 0.32. A program that reads and writes a
// column takes 12.0 MB with it, and 24.1 MB with arrow-go 18.8. Only its pages and schema are used, so
// that rows never become Go structs: 10⁶ rows of 46 features take 1.6 to 1.8 s of processor time, and
// DuckDB 2.2 to 2.5 s to load them into a table. Of its faults
//
//   - panics on damaged files become errors: it runs on our goroutines alone;
//   - a page compressed by LZ4 to more than a third of its size comes back as the memory that happened
//     to be there, without an error: such files are refused;
//   - a page of 32-bit unsigned differences that begins with 2³¹ or more, as DuckDB writes with
//     PARQUET_VERSION V2, is an error.
package parquet
