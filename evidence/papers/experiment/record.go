package experiment

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// Record is what NAME.json keeps of an experiment: every section as it was last made. The page NAME.md has the same
// numbers.
type Record struct {
	Experiment string          `json:"experiment"`
	Sections   []SectionRecord `json:"sections"`
}

// SectionRecord is a section with how it was made.
type SectionRecord struct {
	Name string `json:"name"`
	Made Made   `json:"made"`
	Result
}

// Made says how numbers were made.
type Made struct {
	Command string  `json:"command"`
	Seed    uint64  `json:"seed"`
	Version string  `json:"version"` // the commit, with + where files differ from it
	Go      string  `json:"go"`
	System  string  `json:"system"`
	CPU     string  `json:"cpu,omitempty"`
	Threads int     `json:"threads"`
	Seconds float64 `json:"seconds"`
}

// made is how this process makes numbers.
func made(program string, seed uint64, seconds float64) Made {
	return Made{
		Command: strings.Join(append([]string{"go -C " + house() + " run ./" + program}, arguments()...), " "),
		Seed:    seed, Version: commit(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		CPU:     processor(),
		Threads: runtime.GOMAXPROCS(0), Seconds: math.Round(10*seconds) / 10,
	}
}

// house is the folder of this program's module in the repository, evidence/papers where the program does not know its
// module.
func house() string {
	info, known := debug.ReadBuildInfo()
	if !known || info.Main.Path == "" {
		return "evidence/papers"
	}
	return path.Join("evidence", path.Base(info.Main.Path))
}

// commit is that of the working directory, "" where there is none.
func commit() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty=+").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// arguments are those of this process but for folders, which are of one machine.
func arguments() (kept []string) {
	for k := 1; k < len(os.Args); k++ {
		switch name, _, joined := strings.Cut(strings.TrimLeft(os.Args[k], "-"), "="); {
		case name != "data" && name != "o" && name != "work":
			kept = append(kept, os.Args[k])
		case !joined:
			k++
		}
	}
	return kept
}

// processor is the name of the processor, "" where the system does not tell.
func processor() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// ReadRecord reads a record; one that is not there is empty.
func ReadRecord(path string) (*Record, error) {
	r := &Record{Experiment: strings.TrimSuffix(filepath.Base(path), ".json")}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Put takes a section in the place of its last making, or at the end.
func (r *Record) Put(s SectionRecord) {
	for k := range r.Sections {
		if r.Sections[k].Name == s.Name {
			r.Sections[k] = s
			return
		}
	}
	r.Sections = append(r.Sections, s)
}

// Write writes the record.
func (r *Record) Write(path string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o666)
}

// Findings are those of all sections.
func (r *Record) Findings() (all []Finding) {
	for _, s := range r.Sections {
		all = append(all, s.Result.Findings...)
	}
	return all
}
