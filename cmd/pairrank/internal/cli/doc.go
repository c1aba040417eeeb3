// Package cli is the ground of the verbs: the streams of a run and what is written to
// them, progress, flags with limits and names, and errors with exit codes and hints.
// It knows no learner.
package cli
