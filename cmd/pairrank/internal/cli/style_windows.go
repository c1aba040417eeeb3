package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// obeysSequences asks the console to obey sequences, which those before Windows 10
// cannot.
func obeysSequences(f *os.File) bool {
	console := windows.Handle(f.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(console, &mode); err != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
