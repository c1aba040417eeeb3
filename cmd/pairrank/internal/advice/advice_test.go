package advice

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/option"
)

// TestEveryOptionHasAFlag holds each field that an error of the library names against
// the table of options: an error about a field that the table does not have could not name its flag.
func TestEveryOptionHasAFlag(t *testing.T) {
	names := regexp.MustCompile(`(?:Optionf\(|Option: )"([^"]+)"`)
	read := 0
	for _, pattern := range []string{"../../../../*.go", "../../../../internal/rows/*.go", "../../../../relation/*.go",
		"../../../../stream/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range names.FindAllSubmatch(text, -1) {
				read++
				if option.FlagOf(string(found[1])) == "" {
					t.Errorf("%s: an error about %s has no flag in the table of options", filepath.Base(file), found[1])
				}
			}
		}
	}
	if read < 20 {
		t.Fatalf("%d errors about fields were found: is the pattern still that of the code?", read)
	}
}

// TestTask: a task of a board is shown with its count, and has a way to leave it out.
func TestTask(t *testing.T) {
	for _, task := range []string{"fitting samples of the bootstrap", "testing cycles", "choosing pairs"} {
		var out bytes.Buffer
		tell, end := Task(&cli.App{Ctx: t.Context(), Err: &out, Mode: "json"}, task)
		tell(0, 7)
		tell(3, 7)
		end()
		if text := out.String(); !strings.Contains(text, task) || !strings.Contains(text, `"done":3`) ||
			!strings.Contains(text, `"total":7`) {
			t.Errorf("%s: %q", task, text)
		}
		if leaveOut(task) == "" {
			t.Errorf("%s has no way to leave it out", task)
		}
	}
}
