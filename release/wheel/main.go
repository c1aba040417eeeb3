// Wheel writes the Python package pairrank, with the program inside, as a wheel for the system that the program is for.
//
//	wheel -version v1.2.3 -time 1700000000 [-o DIR] [-python python] FOLDER
//
// FOLDER is what a released archive holds: the program and its licences. The version is one of git describe. The bytes
// depend on these files, the version, the time and the version of Go alone. release/build calls it.
//
// Sources: Python Packaging Authority, Binary distribution format 1.0 and Core metadata 2.1; PEP 440 (versions),
// PEP 600 (manylinux), PEP 656 (musllinux).
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// oldest is the beginning of 1980, where the time of a ZIP archive begins.
const oldest = 315532800

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("wheel", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", ".", "`FOLDER` of the wheel")
	sources := flags.String("python", "python", "`FOLDER` with README.md and the package")
	described := flags.String("version", "", "`VERSION`, as git describe has it")
	seconds := flags.Int64("time", 0, "time of all files, in `SECONDS` since 1970")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("name one folder with the program and its licences, not %d", flags.NArg())
	}
	if *seconds < oldest {
		return fmt.Errorf("-time is at least %d: no older time has a place in a wheel", oldest)
	}
	version, err := pythonVersion(*described)
	if err != nil {
		return err
	}
	w, err := newWheel(flags.Arg(0), *sources, version)
	if err != nil {
		return err
	}
	path := filepath.Join(*out, w.name())
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := w.write(file, time.Unix(*seconds, 0).UTC()); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, path)
	return err
}
