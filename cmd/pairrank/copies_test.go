package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// copied are votes on ten items about sixty questions, by five judges or none, of which each is there so often, in any
// order of the lines.
func copied(columns []string, copies func(r *rand.Rand) int) string {
	r := rand.New(rand.NewPCG(5, 6))
	var lines []map[string]string
	for range 600 {
		i := r.IntN(10)
		j := (i + 1 + r.IntN(9)) % 10
		q := r.IntN(60)
		line := map[string]string{"left": fmt.Sprint("m", i), "right": fmt.Sprint("m", j), "winner": "left",
			"question_id": fmt.Sprint("q", q), "judge": fmt.Sprint("u", r.IntN(3)), "category": fmt.Sprint("c", q%7)}
		if r.Float64()*(1+math.Exp(float64(i-j)/4)) > 1 {
			line["winner"] = "right"
		}
		for range copies(r) {
			lines = append(lines, line)
		}
	}
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	var text strings.Builder
	text.WriteString(strings.Join(columns, ",") + "\n")
	for k, line := range lines {
		var cells []string
		for _, c := range columns {
			switch c {
			case "row":
				cells = append(cells, fmt.Sprint("r", k))
			default:
				cells = append(cells, line[c])
			}
		}
		text.WriteString(strings.Join(cells, ",") + "\n")
	}
	return text.String()
}

// TestCopiesAreTold: votes that stand in a file several times, unevenly and not one after the other, are a warning
// with the numbers of lines and of different ones, and the option that makes them a unit, whatever the columns, the
// container and the verb are. The same votes once are none, and neither are copies that are a unit.
func TestCopiesAreTold(t *testing.T) {
	t.Chdir(t.TempDir())
	once := func(*rand.Rand) int { return 1 }
	uneven := func(r *rand.Rand) int { return 1 + min(20, int(2.5*r.ExpFloat64())) }
	items := "id,a\n"
	for i := range 10 {
		items += fmt.Sprintf("m%d,%d\n", i, i*i%7)
	}
	put(t, "items.csv", items)
	put(t, "scores.csv", strings.Replace(items, "a", "score", 1))
	told := regexp.MustCompile(`\d+ lines (?:are (?:votes on )?\d+ different (?:ones|comparisons)|all differ)[^"\n]*` +
		`(--cluster [a-z_,]+)`)
	for columns, option := range map[string]string{
		"left,right,winner":                            "--cluster left,right,winner",
		"left,right,winner,judge":                      "--cluster left,right,winner",
		"left,right,winner,category":                   "--cluster left,right,winner",
		"row,left,right,winner":                        "--cluster left,right,winner",
		"question_id,left,right,winner":                "--cluster question_id",
		"row,question_id,left,right,winner":            "--cluster question_id",
		"row,question_id,left,right,winner,judge":      "--cluster question_id",
		"category,question_id,left,right,winner,judge": "--cluster question_id",
	} {
		putJSON(t, "once", copied(strings.Split(columns, ","), once))
		putJSON(t, "copied", copied(strings.Split(columns, ","), uneven))
		first := ""
		for _, format := range []string{"csv", "jsonl", "json"} {
			for _, command := range []string{"leaderboard %s", "leaderboard %s --loss logistic --json", "check %s",
				"train --comparisons %s --items items.csv --lambda 1 -o m", "evaluate --comparisons %s scores.csv",
				"cv --comparisons %s --items items.csv --lambda 1"} {
				run := func(file string) string {
					_, stdout, stderr := program(t, strings.Fields(fmt.Sprintf(command, file))...)
					return stdout + stderr
				}
				found := told.FindStringSubmatch(run("copied." + format))
				switch {
				case found == nil:
					t.Errorf("%s, %s, %s: nothing is told", columns, command, format)
				case found[1] != option:
					t.Errorf("%s, %s, %s: %s, want %s", columns, command, format, found[1], option)
				case first != "" && found[0] != first:
					t.Errorf("%s, %s, %s: %s, elsewhere %s", columns, command, format, found[0], first)
				default:
					first = found[0]
				}
				if text := told.FindString(run("once." + format)); text != "" {
					t.Errorf("%s, %s, %s, no copies: %s", columns, command, format, text)
				}
			}
			_, _, stderr := program(t, append([]string{"leaderboard", "copied." + format}, strings.Fields(option)...)...)
			if text := told.FindString(stderr); text != "" {
				t.Errorf("%s, %s: %s", columns, option, text)
			}
		}
	}
}

// TestCopiesInParquet: lines of a Parquet file that are equal are told as those of the same table as text.
func TestCopiesInParquet(t *testing.T) {
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(1, 2))
	text := "id,score_1,score_2,score_3\n"
	for k := range 300 {
		line := fmt.Sprintf("m%d,%d,%d,%d\n", k%10, 10+r.IntN(10), r.IntN(2), k)
		text += strings.Repeat(line, 1+r.IntN(3))
	}
	putContainers(t, "votes", text)
	want := ""
	for _, format := range []string{"csv", "jsonl", "json", "parquet"} {
		_, _, stderr := program(t, "leaderboard", "votes."+format, "--left", "id", "--right", "score_1", "--winner",
			"score_2")
		text := regexp.MustCompile(`\d+ lines are \d+ different ones.*`).FindString(stderr)
		if want == "" {
			want = text
		}
		if text == "" || text != want {
			t.Errorf("%s: %s, want %s", format, text, want)
		}
	}
}

// putJSON writes a table as NAME.csv, NAME.jsonl and NAME.json, each cell a text.
func putJSON(t *testing.T, name, text string) {
	t.Helper()
	put(t, name+".csv", text)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	head := strings.Split(lines[0], ",")
	var objects []string
	for _, line := range lines[1:] {
		var members []string
		for k, cell := range strings.Split(line, ",") {
			members = append(members, fmt.Sprintf("%q:%q", head[k], cell))
		}
		objects = append(objects, "{"+strings.Join(members, ",")+"}")
	}
	put(t, name+".jsonl", strings.Join(objects, "\n")+"\n")
	put(t, name+".json", "["+strings.Join(objects, ",")+"]")
}
