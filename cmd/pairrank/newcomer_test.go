package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// aTable is a file under names that the program does not know, and the command that it suggests.
type aTable struct {
	file, text string
	first      string // the verbs that a newcomer tries, with blanks between; "" is check train
	suggested  string // without pairrank, the verb, the file and -o
	beside     map[string]string
}

// tableOf makes a table of a header and rows; sep stands between the fields.
func tableOf(header string, rows int, row func(i int) string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range rows {
		b.WriteString(row(i) + "\n")
	}
	return b.String()
}

// newcomerTables are tables of many kinds, drawn from one seed.
func newcomerTables() []aTable {
	random := rand.New(rand.NewPCG(45, 4))
	return slices.Concat(listTables(random), clinicTables(random), studyTables(random), boardTables(random))
}

// listTables have queries, or are files of another kind.
func listTables(random *rand.Rand) []aTable {
	f, z := fmt.Sprintf, random.NormFloat64
	searches := func(i int) string {
		x, y := z(), z()
		return f("s%02d,https://x.org/%d,%d,%.3f,%.3f", i/10, i, int(max(0, min(3, math.Round(1+x-y/2+z()/2)))), x, y)
	}
	hotels := func(i int) string {
		price, stars := 40+200*random.Float64(), 1+random.IntN(5)
		booked := 0
		if i%12 == 3*(i/12)%12 {
			booked, price, stars = 1, price/2, 5
		}
		return f("%d,%d,%.2f,%d,%.1f,%d", 1000+i/12, 5000+i%12*100+random.IntN(100), price, stars, 9*random.Float64(), booked)
	}
	return []aTable{
		{file: "my searches.csv", text: tableOf("search phrase,landing page,judged,bm,fresh", 400, searches),
			first:     "train check cv",
			suggested: "--label-column judged --qid-column 'search phrase' --id-column 'landing page'"},
		{file: "hotels.csv", text: tableOf("search_id,hotel_id,price,stars,km,booked", 720, hotels),
			suggested: "--label-column booked --qid-column search_id --id-column hotel_id"},
		{file: "once.csv", text: tableOf("search_id,hotel_id,price,stars,km,booked", 720, hotels), first: "stream\x00train",
			suggested: "--label-column booked --qid-column search_id --ignore-columns hotel_id"},
		{file: "letor.csv", text: tableOf("2 qid:1 1:0.5 2:1", 40, func(i int) string {
			return f("%d qid:%d 1:%.2f 2:%.2f", i%3, i/5+1, float64(i%3)+z(), z())
		}), suggested: "--format svmlight"},
		{file: "bare.csv", text: tableOf("1,0.5,2.25", 60, func(i int) string {
			return f("%d,%.3f,%.3f", i%2, z()+float64(i%2), z())
		}),
			suggested: "--label-column 1"},
		{file: "from r.csv", text: tableOf(`"","uptake","yield"`, 60, func(i int) string {
			return f(`"%d",%.2f,%.2f`, i+1, z(), z())
		}),
			suggested: "--label-column yield"},
		{file: "two labels.csv", text: tableOf("session,price,clicked,booked", 200, func(i int) string {
			return f("q%d,%.2f,%d,%d", i/10, 50+9*z(), map[bool]int{true: 1}[i%10 < 4], map[bool]int{true: 1}[i%10 == i/10%7])
		}), suggested: "--label-column booked --qid-column session --ignore-columns clicked"},
	}
}

// clinicTables are of patients, in files of three kinds.
func clinicTables(random *rand.Rand) []aTable {
	f, z := fmt.Sprintf, random.NormFloat64
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	beats := func(p float64) bool { return random.Float64() < p }
	clinic := func(i int) string {
		age, bmi, out := 30+random.IntN(50), f("%.1f", 26+4*z()), "home"
		if beats(1 / (1 + math.Exp(-float64(age-55)/8))) {
			out = "readmitted"
		}
		if i%20 == 7 {
			bmi = ""
		}
		return f("C%03d,%s,%d,%s,%s,%s", i, pick("F", "M"), age, bmi, pick("never", "former", "current"), out)
	}
	objects := tableOf("", 120, func(i int) string {
		c := strings.Split(clinic(i), ",")
		return f(`{"kennung": %q, "sexe": %q, "alter": %s, "went to": %q}`, c[0], c[1], c[2], c[5])
	})
	return []aTable{
		{file: "clinic.csv", text: tableOf("Kürzel,gender,age,bmi,smoking,discharge status", 150, clinic),
			first: "train check cv", suggested: "--label-column 'discharge status' --positive readmitted --id-column Kürzel " +
				"--factor-columns gender,smoking --missing mean"},
		{file: "clinic.txt", text: tableOf("Kürzel,gender,age,bmi,smoking,discharge status", 150, clinic),
			suggested: "--format csv --label-column 'discharge status' --positive readmitted --id-column Kürzel " +
				"--factor-columns gender,smoking --missing mean"},
		{file: "clinic.jsonl", text: objects[1:], suggested: "--label-column 'went to' --positive readmitted " +
			"--id-column kennung --factor-columns sexe"},
	}
}

// studyTables have times, genes, visits, texts and weights.
func studyTables(random *rand.Rand) []aTable {
	f, z := fmt.Sprintf, random.NormFloat64
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	beats := func(p float64) bool { return random.Float64() < p }
	genes := func() string {
		var tumor []bool
		head, tissue := "probe", "kind of tissue"
		for i := range 40 {
			tumor = append(tumor, beats(0.5))
			head += f(",s%02d", i)
			tissue += "," + map[bool]string{true: "tumor", false: "normal"}[tumor[i]]
		}
		return tableOf(head+"\n"+tissue, 7000, func(g int) string {
			row := f("G%04d", g)
			for i := range 40 {
				x := z()
				if tumor[i] && g < 20 {
					x++
				}
				row += f(",%.2f", x)
			}
			return row
		})
	}()
	follow := func(i int) string {
		age := 40 + random.IntN(40)
		t, c := random.ExpFloat64()*800*math.Exp(-float64(age-60)/15), 2000*random.Float64()
		return f("%d,%.2f,%s,%d,%s", age, z(), pick("A", "B"), 1+int(min(t, c)), map[bool]string{true: "dead",
			false: "alive"}[t < c])
	}
	visits := func(i int) string {
		x := z()
		return f("R%02d,%d,2024-0%d-11,%.3f,%.2f", i/4, i%4+1, i%4+1, x, 10+2*x+z())
	}
	tickets := func(i int) string {
		x := z()
		return f("T%03d,%s note %d,%s,%.3f,%d", i, pick("a", "b"), random.IntN(900), pick("red", "green"), x,
			map[bool]int{true: 1}[x+z() > 0])
	}
	return []aTable{
		{file: "follow.csv", text: tableOf("age,marker,arm,days,last seen status", 140, follow),
			suggested: "--time days --event 'last seen status' --positive dead --factor-columns arm"},
		{file: "genes.csv", text: genes, suggested: "--transpose --label-column 'kind of tissue' --positive tumor"},
		{file: "visits.csv", text: tableOf("person,occasion,seen on,dose,pain", 160, visits),
			suggested: "--label-column pain --group-column person --ignore-columns 'seen on'"},
		{file: "tickets.csv", text: tableOf("ticket,remark,colour,urgency,escalated", 200, tickets),
			suggested: "--label-column escalated --id-column ticket --factor-columns colour --ignore-columns remark"},
		{file: "weighted.csv", text: tableOf("dose,pulse,sample_weight,relapsed", 120, func(i int) string {
			x := z()
			return f("%.2f,%.1f,%.2f,%d", x, 70+9*z(), 0.1+random.Float64(), map[bool]int{true: 1}[x+z() > 0])
		}), suggested: "--label-column relapsed --weight-column sample_weight"},
		{file: "Wohnungen.csv", text: tableOf("Nr;Bezirk;Fläche;Preis", 120, func(i int) string {
			size := 50 + 15*z()
			return strings.ReplaceAll(f("%d;%s;%.2f;%.1f", i+1, pick("Nord", "Süd", "West"), size, 2*size+9*z()), ".", ",")
		}), suggested: "--label-column Preis --id-column Nr --factor-columns Bezirk"},
	}
}

// boardTables are comparisons, scores and edges.
func boardTables(random *rand.Rand) []aTable {
	f, z := fmt.Sprintf, random.NormFloat64
	beats := func(p float64) bool { return random.Float64() < p }
	bots := []string{"ant", "bee", "cat", "dog", "eel"}
	pair := func() (a, b int, won bool) {
		a = random.IntN(5)
		b = (a + 1 + random.IntN(4)) % 5
		return a, b, beats(1 / (1 + math.Exp(float64(a-b)/2)))
	}
	nodes := func(name string) (out string, x []float64) {
		for range 24 {
			x = append(x, z())
		}
		return tableOf("name,u,v", 24, func(i int) string { return f("%s%02d,%.3f,%.3f", name, i, x[i], z()) }), x
	}
	drugs, u := nodes("d")
	targets, v := nodes("t")
	scored := func(i int) string { return f("m%d,task%02d,%.3f", i%6, i/6, 0.05*float64(i%6)+z()/10) }
	return []aTable{
		{file: "votes.csv", text: tableOf("rater,first bot,second bot,preferred", 300, func(i int) string {
			a, b, won := pair()
			return f("j%d,%s,%s,%s", i%9, bots[a], bots[b], bots[map[bool]int{true: a, false: b}[won]])
		}), first: "train check leaderboard", suggested: "--left 'first bot' --right 'second bot' --winner preferred"},
		{file: "matches.csv", text: tableOf("saison,club 1,club 2,points 1,points 2", 300, func(i int) string {
			a, b, _ := pair()
			return f("2023,%s,%s,%d,%d", bots[a], bots[b], random.IntN(9-a), random.IntN(9-b))
		}), first: "train check leaderboard", suggested: "--left 'club 1' --right 'club 2' --score-left 'points 1' " +
			"--score-right 'points 2'"},
		{file: "duels.csv", text: tableOf("champion,victim", 300, func(i int) string {
			a, b, won := pair()
			if !won {
				a, b = b, a
			}
			return bots[a] + "," + bots[b]
		}), first: "leaderboard", suggested: "--winner champion --loser victim"},
		{file: "assays.csv", text: tableOf("compound,protein,pKd", 500, func(i int) string {
			return f("d%02d,t%02d,%.3f", i/24, i%24, 5+u[i/24]*v[i%24]+z()/4)
		}), beside: map[string]string{"drugs.csv": drugs, "proteins.csv": targets},
			first: "train check relation\x00train relation\x00train\x00drugs.csv\x00--rows " +
				"relation\x00train\x00--rows\x00drugs.csv relation\x00train\x00--rows\x00drugs.csv\x00--cols\x00no " +
				"relation\x00cv\x00--rows\x00proteins.csv\x00--cols\x00drugs.csv " +
				"relation\x00cv\x00--rows\x00assays.csv",
			suggested: "--rows drugs.csv --cols proteins.csv"},
		{file: "long.csv", text: tableOf("engine,puzzle,points", 180, scored), first: "train check leaderboard",
			suggested: "--system-column engine --item-column puzzle --score-column points"},
		{file: "wide.csv", text: tableOf("puzzle,bot one,bot two,bot three", 40, func(i int) string {
			return f("task%02d,%.2f,%.2f,%.2f", i, 0.4+z()/9, 0.5+z()/9, 0.6+z()/9)
		}), first: "train check leaderboard", suggested: "--wide systems --item-column puzzle"},
	}
}

// A newcomer tries the plain command on each table, runs what its error suggests, and has a model or a board: two
// commands. The same through check, in text and in JSON.
func TestNewcomer(t *testing.T) {
	for _, table := range newcomerTables() {
		t.Run(table.file, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file, text := range table.beside {
				writeFile(t, file, text)
			}
			writeFile(t, table.file, table.text)
			first := table.first
			if first == "" {
				first = "train check"
			}
			for verb := range strings.FieldsSeq(first) {
				args := append(strings.Split(verb, "\x00"), table.file)
				if strings.Contains(verb, "train") {
					args = append(args, "-o", "model")
				}
				command := suggestedBy(t, args)
				if !strings.Contains(command, table.suggested) {
					t.Fatalf("%v suggests\n%s, not\n%s", args, command, table.suggested)
				}
				words, err := shellWords(command)
				if err != nil {
					t.Fatal(err)
				}
				if code, stderr := runAll(t, words[1:]...); code != cli.ExitOK {
					t.Errorf("%s ends with %d: %s", command, code, stderr)
				}
				if _, err := os.Stat("model"); strings.Contains(command, " train ") && err != nil {
					t.Errorf("%s: no model: %v", command, err)
				}
				os.Remove("model")
			}
		})
	}
}

// suggestedBy is the command that a run suggests, which fails as it does without a guess.
func suggestedBy(t *testing.T, args []string) (command string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	err := run(context.WithoutCancel(t.Context()), args, strings.NewReader(""), &stdout, &stderr)
	if code := cli.ExitCode(err); code != cli.ExitData && code != cli.ExitUsage && !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%v ends with %d: %s", args, code, stderr.String())
	}
	told := stderr.String() + stdout.String()
	if !strings.Contains(told, "hint: looks like, at a guess: ") {
		t.Fatalf("%v guesses nothing:\n%s", args, told)
	}
	for line := range strings.Lines(told) {
		if rest, is := strings.CutPrefix(line, "hint: pairrank "); is && strings.Contains(rest, " --") {
			command = "pairrank " + strings.TrimSpace(rest)
		}
	}
	if args[0] == "check" {
		var d struct{ Suggested struct{ Command string } }
		stdout.Reset()
		run(context.WithoutCancel(t.Context()), append(args, "--json"), strings.NewReader(""), &stdout, &stderr)
		if err := json.Unmarshal(stdout.Bytes(), &d); err != nil || d.Suggested.Command != command {
			t.Errorf("%v --json suggests %q, text %q (%v)", args, d.Suggested.Command, command, err)
		}
	}
	return command
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
