//go:build !windows

package cli

import "os"

// obeysSequences reports whether a terminal obeys sequences; here all do.
func obeysSequences(*os.File) bool { return true }
