// Package cli is the ground of the verbs: the streams of a run and what is written to
// them, progress, flags with limits and names, and errors with exit codes and hints.
// It knows no learner.
//
// Verbs and flags are those of cobra and pflag: package flag does not tell --flag from -f, takes
// no flags behind arguments, and has no verbs and no completion. The help and the manual pages are
// our own. The help of cobra shows Go types and wraps only the flags; its manual pages go through
// Markdown, by three more modules.
//
// Go initialises every package that a program links. `pairrank version` takes 7.7 ms of processor
// time at least, 5.8 without package serve and format/parquet, and a program that prints a word 1.3.
// Of our own packages only the table of options shows in that, with 0.3 ms; so the options of a verb
// are made when it is called.
package cli
