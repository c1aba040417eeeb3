package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Files of files/ but commands.txt hold inputs, each after a line -- NAME --.
// commands.txt has the command lines that make others of them.
//
//go:embed files/*.txt
var writtenFiles embed.FS

// inputs are what the cases read, by name.
type inputs map[string][]byte

// makeInputs makes all inputs; folder is where the program makes its part.
func makeInputs(ctx context.Context, program, folder string) (inputs, error) {
	files := inputs{}
	entries, err := writtenFiles.ReadDir("files")
	if err != nil {
		return nil, err
	}
	commands := ""
	for _, e := range entries {
		text, err := writtenFiles.ReadFile("files/" + e.Name())
		if err != nil {
			return nil, err
		}
		if e.Name() == "commands.txt" {
			commands = string(text)
			continue
		}
		if err := files.unpack(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	seeded(files)
	seededRelations(files)
	arrays(files)
	if err := files.keep(folder); err != nil {
		return nil, err
	}
	if err := runCommands(ctx, program, folder, commands); err != nil {
		return nil, err
	}
	made, err := leftIn(folder, files)
	if err != nil {
		return nil, err
	}
	for name, w := range made {
		if w.mode.IsRegular() {
			files[name] = w.text
		}
	}
	return files, damaged(files)
}

// unpack takes in the files of an archive.
func (f inputs) unpack(archive string) error {
	name := ""
	for line := range strings.Lines(archive) {
		if head, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "-- "); ok && strings.HasSuffix(head, " --") {
			name = strings.TrimSuffix(head, " --")
			if _, twice := f[name]; twice {
				return fmt.Errorf("%s stands twice", name)
			}
			f[name] = []byte{}
			continue
		}
		if name == "" && !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "" {
			return fmt.Errorf("a line before the first file: %s", line)
		}
		if name != "" {
			f[name] = append(f[name], line...)
		}
	}
	return nil
}

// runCommands runs the lines of commands.txt in a folder.
func runCommands(ctx context.Context, program, folder, commands string) error {
	for line := range strings.Lines(commands) {
		c, err := parseCase(strings.TrimSpace(line), 0)
		if err != nil {
			return err
		}
		if len(c.args) == 0 || strings.HasPrefix(c.args[0], "#") {
			continue
		}
		cmd := exec.CommandContext(ctx, program, c.args...)
		cmd.Dir, cmd.Env = folder, environment(folder)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("pairrank %s: %w\n%s", c.line, err, &stderr)
		}
	}
	return nil
}

// keep writes the files into a folder.
func (f inputs) keep(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for name, text := range f {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// namedIn are the inputs that words name: alone, after =, or between commas, and
// those in a folder that is named.
func (f inputs) namedIn(words []string) inputs {
	some := inputs{}
	for _, word := range words {
		for _, part := range strings.FieldsFunc(word, func(r rune) bool { return r == '=' || r == ',' }) {
			part = filepath.ToSlash(filepath.Clean(part))
			if text, known := f[part]; known {
				some[part] = text
			}
			for name, text := range f {
				if strings.HasPrefix(name, part+"/") {
					some[name] = text
				}
			}
		}
	}
	return some
}
