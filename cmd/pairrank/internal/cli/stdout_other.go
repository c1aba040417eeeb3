//go:build !unix

package cli

import "os"

// closedStdout reports whether standard output was closed before the program began;
// here writing to it says so.
func closedStdout(*os.File) bool { return false }
