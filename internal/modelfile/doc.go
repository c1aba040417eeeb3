// Package modelfile is the grammar of model files, which models of rows and models of
// pairs share: lines "key value", blocks of numbers below some of them, the facts of the
// training first, and a checksum last. docs/formats.md specifies it line by line. What a
// model holds beside the facts it reads and writes itself, through Reader and Writer.
package modelfile
