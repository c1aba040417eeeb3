package main

import (
	"fmt"
	"os"
	"syscall"
)

// sharedMemory is the file in memory of the program that asks, mapped as far as a request needed it: what that program
// writes is here without a copy, and may be changed here until the answer.
type sharedMemory struct {
	path  string
	file  *os.File
	bytes []byte
}

// upTo maps the file of a path up to a byte. It returns an error where the file ends before.
func (s *sharedMemory) upTo(path string, end int64) (_ []byte, err error) {
	if s.file == nil || s.path != path {
		s.close()
		if s.file, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
			return nil, err
		}
		s.path = path
	}
	info, err := s.file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.Size() < end:
		return nil, fmt.Errorf("%s has %d bytes, and a request claims %d", path, info.Size(), end)
	case int64(len(s.bytes)) < end:
		s.unmap()
		s.bytes, err = syscall.Mmap(int(s.file.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_SHARED)
	}
	return s.bytes, err
}

func (s *sharedMemory) unmap() {
	if s.bytes != nil {
		_ = syscall.Munmap(s.bytes)
		s.bytes = nil
	}
}

func (s *sharedMemory) close() {
	s.unmap()
	s.leave()
}

// leave lets go of the file, and leaves what is mapped: the work of a request that was stopped may read it until the
// program ends.
func (s *sharedMemory) leave() {
	if s.file != nil {
		_ = s.file.Close()
		s.file = nil
	}
}
