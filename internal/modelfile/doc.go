// Package modelfile is the grammar of model files, shared by models of rows and models of pairs:
// the facts of the training, lines "key value" with blocks of numbers below some of them, and a
// checksum. docs/formats-model.md specifies it line by line. A model reads and writes its content besides
// the facts through Reader and Writer.
package modelfile
