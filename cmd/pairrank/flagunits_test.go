package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

// unitLines are the commands of the corpus about sums of files.
const unitLines = `
stats: stream stats first.txt second.txt -o out/units
stats-random: stream stats first.txt second.txt -o out/units --kernel gaussian:gamma=0.5 --random-features 4
stats-knots: stream stats first.txt second.txt -o out/units --knots-of bent.model
stats-kernel 2: stream stats first.txt second.txt -o out/units --kernel gaussian:gamma=0.5
stats-linear 2: stream stats first.txt second.txt -o out/units --random-features 4
stats-gaps 3: stream stats missing.txt -o out/units
stats-files 2: stream stats -o out/units
stats-index 2: stream stats first.txt second.txt -o out/units --index 0
stats-count 2: stream stats first.txt second.txt -o out/units --count 2
stats-none 2: stream stats first.txt
stats-table: stream stats sorted.csv -o out/units
stats-strata: stream stats strata.csv -o out/units --time months --event died
stats-event 2: stream stats strata.csv -o out/units --event died
stats-time 2: stream stats strata.csv -o out/units --time months
stats-weighed: stream stats sorted.csv -o out/units --weight-column rating
stats-timed: stream stats first.txt second.txt -o out/units --censored negative
merge: stream merge units -o out/m
merge-one: stream merge units -o out/m --lambda 1
merge-none 2: stream merge units
update: stream update kept.model second.txt -o out/m
update-gaps 3: stream update kept.model missing.txt -o out/m
update-again 3: stream update kept.model first.txt -o out/m
update-one: stream update kept.model second.txt -o out/m --lambda 1
update-alone: stream update kept.model -o out/m
update-qid: stream update queries.model second.txt -o out/m
update-none 2: stream update kept.model second.txt
update-event 2: stream update timed.model later.csv -o out/m --event died
update-weighed: stream update heavy.model more.csv -o out/m
update-renamed 3: stream update heavy.model renamed.csv -o out/m
update-wider: stream update kept.model wider.txt -o out/m
update-time 2: stream update timed.model later.csv -o out/m --time months`

// unitModels makes the units of the corpus, and a model with its sums.
const unitModels = `
stream stats first.txt second.txt -o units
stream stats first.txt -o firsts
stream merge firsts -o kept.model --keep-moments
stream train first.txt -o queries.model --keep-moments --keep-query-sums
stream train strata.csv --time months --event died -o timed.model --keep-moments
stream train sorted.csv --weight-column rating -o heavy.model --keep-moments`

// unitFiles writes files of queries whose rows follow each other. They are old enough for
// their times to be kept.
func unitFiles(t *testing.T) {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 6))
	files := map[string]string{"files.txt": "second.txt\n", "missing.txt": "1 qid:99 1:NaN 2:1\n0 qid:99 1:2 2:3\n",
		"wider.txt": "1 qid:98 1:1 9:1\n0 qid:98 1:2 9:3\n"}
	for q, name := range strings.Fields("first.txt first.txt first.txt first.txt second.txt second.txt second.txt") {
		for range 6 {
			x, y := random.NormFloat64(), random.NormFloat64()
			files[name] += fmt.Sprintf("%d qid:%d 1:%.2f 2:%.2f\n", max(0, min(3, int(1.5+x-y+random.NormFloat64()))),
				q+1, x, y)
		}
	}
	then := time.Now().Add(-time.Hour)
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, then, then); err != nil {
			t.Fatal(err)
		}
	}
}
