package serve

import (
	"fmt"
	"io"
	"io/fs"
	"os"

	"pairrank/internal/codec"
)

// open opens a regular file. Any other is refused and not waited for: a named pipe that
// nobody writes to would hold a reload, and with it the end of the server, for ever.
func open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is %s, but a server reads its files repeatedly: give a regular file", path,
			kindOf(info.Mode()))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "not a regular file"
}

// checkRegular opens a file that is read by its path.
func checkRegular(path string) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// readFile is the text of a regular file.
func readFile(path string) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(codec.Unmarked(f, path))
}
