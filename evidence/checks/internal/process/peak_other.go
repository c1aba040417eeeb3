//go:build !unix

package process

import "os"

// peak is 0: the system does not tell.
func peak(*os.ProcessState) int { return 0 }
