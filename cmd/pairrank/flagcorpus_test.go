package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// command is a command of the corpus.
type command struct {
	name string
	args []string
	code int // exit code without further flags
}

// commands are those of the corpus by verb.
type commands map[string][]command

func (c commands) args(name string) []string {
	for _, verb := range c {
		for _, command := range verb {
			if command.name == name {
				return command.args
			}
		}
	}
	return nil
}

// corpusLines has a line for every command: its name, for those that end in an
// error their exit code, and the words of the command.
const corpusLines = `
default: train queries.txt -o out/m
boost-default: train queries.txt -o out/m --learner rankboost
train-json: train queries.txt -o out/m --json
folds: train list.txt -o out/m --lambdas 1,4 --select kfold:3
queries: train queries.txt -o out/m --lambdas 1,4
list: train list.txt -o out/m --lambda 1
lpo: train list.txt -o out/m --lambdas 0.01,100 --select lpo
loo: train list.txt -o out/m --lambdas 0.01,100 --select loo
gaussian: train list.txt -o out/m --kernel gaussian:gamma=0.5 --lambda 1
basis: train list.txt -o out/m --basis 4 --lambda 1
random: train list.txt -o out/m --kernel gaussian:gamma=0.5 --random-features 8 --lambda 1
spline: train list.txt -o out/m --spline 2 --lambda 1
basis-rows: train list.txt -o out/m --basis-rows basis.txt --lambda 1
cg: train list.txt -o out/m --solver cg --lambda 1
rls: train list.txt -o out/m --learner rls --lambda 1
svm: train queries.txt -o out/m --learner ranksvm --lambda 0.1
newton: train queries.txt -o out/m --learner ranksvm --loss squared-hinge --lambda 0.1
map: train list.txt -o out/m --learner ranksvm --basis 6 --lambda 0.1
svm-grid: train sparse.txt -o out/m --learner ranksvm --lambdas 0.01,0.1
boost: train queries.txt -o out/m --learner rankboost --rounds 4
boosts: train queries.txt -o out/m --learner rankboost --rounds 4,8 --select kfold:3
given: train list.txt --kernel-matrix kernel.tsv -o out/m --lambda 1
given-gaps: train twelve-gaps.txt --kernel-matrix kernel.tsv -o out/m --lambda 1
preferences: train list.txt --preferences preferences.tsv -o out/m --lambda 1
csv: train rows.csv -o out/m --lambda 1
timed: train timed.csv --time months --event died -o out/m --lambda 1
timed-weights: train timed.csv --time months --event died -o out/m --lambda 1 --censoring-weights
timed-event 2: train timed.csv -o out/m --lambda 1 --event died
timed-time 2: train timed.csv -o out/m --lambda 1 --time months
selected: train queries.txt -o out/m --features 2 --lambda 1
selects: train two.txt -o out/m --features auto --lambdas 1,8 --select kfold:3
gaps 3: train gaps.txt -o out/m --lambda 1
gaps-csv 3: train gaps.csv -o out/m --lambda 1
stream: stream train sorted.txt -o out/m --lambda 1
stream-default: stream train sorted.txt -o out/m
stream-nowhere 2: stream train sorted.txt
stream-map 2: stream train sorted.txt -o out/m --lambda 1 --basis-data basis-data.txt
stream-csv: stream train sorted.csv -o out/m --lambda 1
stream-path: stream train sorted.txt -o out/m --lambdas 1,4 --select kfold:2
stream-random: stream train sorted.txt -o out/m --kernel gaussian:gamma=0.5 --random-features 8 --lambda 1
stream-basis: stream train sorted.txt -o out/m --kernel gaussian:gamma=0.5 --basis-data basis-data.txt --lambda 1
stream-spline: stream train sorted.txt -o out/m --spline 2 --lambda 1
stream-knots: stream train sorted.txt -o out/m --knots-of bent.model --lambda 1
stream-kernel 2: stream train sorted.txt -o out/m --kernel gaussian:gamma=0.5 --lambda 1
stream-gaps 3: stream train gaps.txt -o out/m --lambda 1
stream-kept: stream train sorted.txt -o out/m --lambda 1 --keep-moments
stream-none 2: stream train -o out/m
stream-timed: stream train strata.csv --time months --event died -o out/m --lambda 1
stream-event 2: stream train strata.csv -o out/m --lambda 1 --event died
stream-time 2: stream train strata.csv -o out/m --lambda 1 --time months
edges: relation train edges.tsv --rows nodes.tsv --cols cols.tsv -o out/m --lambda 1
edges-default: relation train edges.tsv --rows nodes.tsv --cols cols.tsv -o out/m
edges-nowhere 2: relation train edges.tsv --rows nodes.tsv --cols cols.tsv --lambda 1
choice: relation train edges.tsv --rows nodes.tsv --cols cols.tsv -o out/m --lambdas 0.1,10
both: relation train edges.tsv --rows nodes.tsv --cols cols.tsv -o out/m \
  --loss regression --lambdas 0.1,10 --setting both
some: relation train some.tsv --rows nodes.tsv --cols cols.tsv -o out/m --lambda 1
one-domain: relation train square.tsv --rows nodes.tsv -o out/m --lambda 1
stop: relation train some.tsv --rows nodes.tsv --cols cols.tsv -o out/m --lambda 1 --early-stop edges.tsv
primal: relation train some.tsv --rows nodes.tsv --cols cols.tsv -o out/m --solver primal --lambda 1
two-step: relation train edges.tsv --rows nodes.tsv --cols cols.tsv -o out/m --learner two-step --lambda 1
similarity: relation train square.tsv --rows nodes.tsv -o out/m --learner similarity
indefinite 3: relation train square.tsv --rows indefinite.tsv --row-kernel precomputed -o out/m --lambda 1
crooked 3: relation train square.tsv --rows crooked.tsv --row-kernel precomputed -o out/m --lambda 1
list-none 2: train list.txt --lambda 1
edges-none 2: train --rows nodes.tsv -o out/m --lambda 1
rows-none 2: relation train square.tsv -o out/m --lambda 1
cv-edges-none 2: cv --rows nodes.tsv --lambda 1
cv-rows-none 2: relation cv square.tsv --lambda 1
cv-default: cv two.txt
cv-boost-default: cv queries.txt --learner rankboost --method kfold:2 --interval none
cv-queries: cv queries.txt --lambdas 1,4 --held-out out/held --interval none
cv-list: cv two.txt --lambdas 1,4 --held-out out/held --interval none
cv-kfold: cv list.txt --lambda 1 --method kfold:3 --held-out out/held --interval none
cv-gaussian: cv two.txt --kernel gaussian:gamma=0.5 --lambda 1 --held-out out/held
cv-random: cv list.txt --kernel gaussian:gamma=0.5 --random-features 8 --lambda 1 --held-out out/held --interval none
cv-spline: cv list.txt --spline 2 --lambda 1 --held-out out/held --interval none
cv-basis: cv list.txt --basis 4 --lambda 1 --held-out out/held
cv-cg: cv list.txt --solver cg --lambda 1 --held-out out/held
cv-svm: cv queries.txt --learner ranksvm --lambda 0.1 --method kfold:3 --held-out out/held --interval none
cv-newton: cv queries.txt --learner ranksvm --loss squared-hinge --lambda 0.1 --method kfold:3 --held-out out/held
cv-map: cv list.txt --learner ranksvm --basis 6 --lambda 0.1 --held-out out/held --interval none
cv-boost: cv queries.txt --learner rankboost --rounds 2 --method kfold:3 --held-out out/held --interval none
cv-given-gaps: cv twelve-gaps.txt --kernel-matrix kernel.tsv --lambda 1 --held-out out/held
cv-given: cv list.txt --kernel-matrix kernel.tsv --lambda 1 --held-out out/held
cv-preferences: cv list.txt --preferences preferences.tsv --lambda 1 --method kfold:3 --held-out out/held
cv-labels: cv list.txt --labels labels.tsv --lambda 1 --method kfold:3 --held-out out/held --interval none
cv-roc: cv two.txt --lambda 1 --roc out/roc --held-out out/held --interval none
cv-timed: cv timed.csv --time months --event died --lambda 1 --method kfold:3 --interval none --held-out out/held
cv-timed-event 2: cv timed.csv --lambda 1 --method kfold:3 --event died
cv-timed-time 2: cv timed.csv --lambda 1 --method kfold:3 --time months
cv-selected: cv two.txt --features auto --lambdas 1,8 --method kfold:3 --interval none --held-out out/held
cv-chosen: cv queries.txt --features 2 --lambda 1 --method lqo --interval none --held-out out/held
cv-csv: cv rows.csv --lambda 1 --held-out out/held --interval none
cv-gaps 3: cv gaps.txt --lambda 1 --held-out out/held
cv-gaps-csv 3: cv gaps.csv --lambda 1 --held-out out/held
cv-edges: relation cv edges.tsv --rows nodes.tsv --cols cols.tsv --lambdas 0.1,10 --held-out out/held
cv-edges-default: relation cv edges.tsv --rows nodes.tsv --cols cols.tsv
cv-both: relation cv edges.tsv --rows nodes.tsv --cols cols.tsv \
  --loss regression --lambda 1 --setting both --held-out out/held
cv-some: relation cv some.tsv --rows nodes.tsv --cols cols.tsv --lambda 1 --method kfold:3 --held-out out/held
cv-square: relation cv square.tsv --rows nodes.tsv --lambda 1 --held-out out/held
cv-two-step: relation cv edges.tsv --rows nodes.tsv --cols cols.tsv --learner two-step --lambda 1 --held-out out/held
cv-indefinite 3: relation cv square.tsv --rows indefinite.tsv --row-kernel precomputed --lambda 1 --held-out out/held
cv-crooked 3: relation cv square.tsv --rows crooked.tsv --row-kernel precomputed --lambda 1 --held-out out/held
predict: predict linear.model queries.txt
predict-csv: predict csv.model rows.csv
predict-wide 3: predict linear.model wide.txt
predict-edges-wide 3: predict square.model --rows wide.tsv
predict-bare: predict csv.model bare.csv
predict-gaps 3: predict linear.model gaps.txt
predict-gaps-csv 3: predict csv.model gaps.csv
predict-npy: predict linear.model x.npy
predict-given: predict given.model --kernel-matrix kernel.tsv
predict-given-data: predict given.model list.txt --kernel-matrix kernel.tsv
predict-given-csv: predict given.model twelve.csv --kernel-matrix kernel.tsv
predict-given-none 2: predict given.model
predict-given-gaps: predict given.model twelve-gaps.txt --kernel-matrix kernel.tsv
predict-gaussian: predict gaussian.model list.txt
predict-gaussian-gaps 3: predict gaussian.model gaps.txt
predict-gaussian-wide 3: predict gaussian.model wide.txt
predict-random-wide 3: predict random.model wide.txt
predict-random-gaps 3: predict random.model gaps.txt
predict-stumps: predict boost.model queries.txt
predict-stumps-gaps 3: predict boost.model gaps.txt
predict-stumps-wide 3: predict boost.model wide.txt
predict-several: predict several.model list.txt
predict-scaled-gaps 3: predict scaled.model gaps.txt
predict-similar: predict similar.model --rows similar.tsv
predict-similar-some: predict similar.model --rows similar.tsv --edges square.tsv
predict-mixed: predict mixed.model --rows similar.tsv --cols cols.tsv
predict-two-step: predict two-step.model --rows nodes.tsv --cols cols.tsv
predict-primal: predict primal.model --rows nodes.tsv --cols cols.tsv
predict-edges: predict edges.model --rows nodes.tsv --cols cols.tsv
predict-edges-some: predict edges.model --rows nodes.tsv --cols cols.tsv --edges some.tsv
predict-edges-none 2: predict square.model
predict-square: predict square.model --rows nodes.tsv
rank: relation rank square.model --given n1
rank-edges: relation rank edges.model --given n1 --rows nodes.tsv
rank-wide 3: relation rank square.model --given n1 --rows wide.tsv
rank-none 2: relation rank square.model
rank-similar: relation rank similar.model --given n1 --rows similar.tsv
rank-mixed: relation rank mixed.model --given n1 --rows similar.tsv
rank-two-step: relation rank two-step.model --given n1
rank-primal: relation rank primal.model --given n1 --rows nodes.tsv --cols cols.tsv
rank-known: relation rank part.model --given n1 --new-only
rank-part: relation rank part.model --given n1
rank-file: relation rank square.model --given n1 --new-only --edges known.tsv
evaluate-json: evaluate queries.txt --scores queries.scores --json
scores: evaluate queries.txt --scores queries.scores
model: evaluate queries.txt --model linear.model
evaluate-event 2: evaluate timed.csv --scores list.scores --event died
evaluate-time 2: evaluate timed.csv --scores list.scores --time months
evaluate-list: evaluate list.txt --scores list.scores -m concordance
evaluate-csv: evaluate rows.csv --model csv.model
evaluate-gaps 3: evaluate gaps.txt --model linear.model
evaluate-gaps-csv 3: evaluate gaps.csv --model csv.model
evaluate-wide 3: evaluate wide.txt --model linear.model
evaluate-none 2: evaluate queries.txt
run: evaluate --qrels qrels.txt --run run.txt
run-none 2: evaluate --qrels qrels.txt
qrels-none 2: evaluate --run run.txt
compare-event 2: compare timed.csv --scores list.scores --scores list.scores --event died
compare-time 2: compare timed.csv --scores list.scores --scores list.scores --time months
compare-scores: compare queries.txt --scores queries.scores --scores other.scores -m concordance
compare-style: compare queries.txt --scores queries.scores --scores other.scores --json
compare-json: compare queries.txt --scores queries.scores --scores other.scores -m map --json
compare-models: compare queries.txt --model linear.model --scores other.scores -m concordance
compare-csv: compare rows.csv --model csv.model --scores queries.scores -m concordance --json
compare-gaps 3: compare gaps.txt --model linear.model --model linear.model -m concordance
compare-gaps-csv 3: compare gaps.csv --model csv.model --model csv.model -m concordance
compare-wide 3: compare wide.txt --model linear.model --scores queries.scores -m concordance
compare-none 2: compare queries.txt --model linear.model -m concordance
report: report linear.model queries.txt -o out/page
report-baseline: report linear.model queries.txt --baseline boost.model -m ndcg,map -o out/page
report-csv: report csv.model rows.csv -o out/page
report-weights: report linear.model -o out/page
report-documents: report estimate.json compared.json -o out/page
report-out: report linear.model queries.txt -m map
report-edges: report edges.model -o out/page
report-square: report square.model -o out/page
report-new: report square.model --rows new.tsv -o out/page
report-wide 3: report linear.model wide.txt -o out/page
report-edges-wide 3: report square.model --rows wide.tsv -o out/page
report-gaps 3: report linear.model gaps.txt -o out/page
report-gaps-csv 3: report csv.model gaps.csv -o out/page
inspect: inspect linear.model
inspect-kernel: inspect gaussian.model
inspect-stumps: inspect boost.model
inspect-edges: inspect edges.model
explain: explain linear.model queries.txt
explain-of: explain gaussian.model list.txt --of 2,5
explain-stumps: explain boost.model queries.txt
explain-csv: explain csv.model rows.csv
explain-bare: explain csv.model bare.csv
explain-gaps 3: explain linear.model gaps.txt
explain-gaps-csv 3: explain csv.model gaps.csv
explain-wide 3: explain linear.model wide.txt
explain-several: explain several.model list.txt --score-column 2
explain-several-none 2: explain several.model list.txt
explain-given-none 2: explain given.model
explain-given: explain given.model --kernel-matrix kernel.tsv
explain-given-data: explain given.model list.txt --kernel-matrix kernel.tsv
explain-given-csv: explain given.model twelve.csv --kernel-matrix kernel.tsv
explain-given-gaps: explain given.model twelve-gaps.txt --kernel-matrix kernel.tsv
explain-gaussian-gaps 3: explain gaussian.model gaps.txt
explain-random-gaps 3: explain random.model gaps.txt
explain-stumps-gaps 3: explain boost.model gaps.txt
explain-gaussian-wide 3: explain gaussian.model wide.txt
explain-stumps-wide 3: explain boost.model wide.txt
explain-similar: explain similar.model --given n1 --rows similar.tsv
explain-mixed: explain mixed.model --given n1 --rows similar.tsv
explain-two-step: explain two-step.model --given n1
explain-primal: explain primal.model --given n1 --rows nodes.tsv --cols cols.tsv
explain-edges: explain square.model --given n1
explain-edges-of: explain edges.model --given n1 --rows nodes.tsv --of c2,c1
explain-edges-wide 3: explain square.model --given n1 --rows wide.tsv
explain-edges-none 2: explain square.model
check 3: check bad.txt
check-event 2: check timed.csv --event died
check-time 2: check timed.csv --time months
check-csv: check rows.csv
check-gaps 3: check gaps.txt
check-gaps-csv 3: check gaps.csv
check-edges: relation check edges.tsv --rows nodes.tsv --cols cols.tsv
check-square: relation check square.tsv --rows nodes.tsv
check-edges-none 2: relation check edges.tsv
check-rows-none 2: check --rows nodes.tsv
synth-letor: synth letor --rows 20
synth-patients: synth patients --rows 5
synth-cadata: synth cadata
synth-rcv1: synth rcv1 --rows 3
synth-rps: synth rps --rows 6 --edges out/games
synth-rps-test: synth rps --rows 6 --edges out/games --test
synth-rps-none 2: synth rps
convert: convert queries.txt out/rows.csv
convert-sparse 3: convert sparse.txt out/rows.npy
convert-event 2: convert timed.csv out/rows.csv --event died
convert-time 2: convert timed.csv out/rows.csv --time months
convert-text: convert rows.csv out/rows.txt
convert-zeros: convert sparse.txt out/rows.txt
convert-bare: convert bare.csv out/rows.txt --label-column a
convert-gaps 3: convert gaps.txt out/rows.txt
convert-gaps-csv 3: convert gaps.csv out/rows.txt
convert-plain: convert queries.txt out/rows
export: export scaled.model --to es-ltr
export-solr: export scaled.model --to solr
export-ranklib: export boost.model --to ranklib
export-steps: export scaled.model --to xgboost --data queries.txt
export-onnx: export edges.model --to onnx -o out/model.onnx
export-go: export linear.model --to go
export-gaussian 2: export gaussian.model --to svmrank
export-none 2: export linear.model
import: import svm.dat --from svmrank
import-file: import svm.dat --from svmrank -o out/m
import-none 2: import svm.dat
serve: serve linear.model --check
serve-edges: serve e=edges.model --check
serve-given 3: serve linear.model --check --golden linear=queries.scores
serve-cert 2: serve linear.model --check --tls-cert cert.pem
serve-key 2: serve linear.model --check --tls-key key.pem
serve-nowhere 1: serve linear.model --listen 127.0.0.1:99999
serve-none 2: serve
version: version
worker: worker
completion: completion bash
man: man train
man-all: man
man-none 2: man tarin
pairrank:
`

// corpusModels trains the models of the corpus.
const corpusModels = `
train queries.txt --lambda 1 -o linear.model
train queries.txt --learner ranksvm --lambda 0.1 -o svm.model
train queries.txt --spline 2 --lambda 1 -o bent.model
train queries.txt --learner rankboost --rounds 4 -o boost.model
train list.txt --kernel gaussian:gamma=0.5 --lambda 1 -o gaussian.model
train list.txt --kernel-matrix kernel.tsv --lambda 1 -o given.model
train rows.csv --lambda 1 -o csv.model
train list.txt --labels labels.tsv --lambda 1 -o several.model
relation train edges.tsv --rows nodes.tsv --cols cols.tsv --lambda 1 -o edges.model
relation train square.tsv --rows nodes.tsv --lambda 1 -o square.model
relation train part.tsv --rows nodes.tsv --lambda 1 --solver cg -o part.model
train queries.txt --normalize zscore --lambda 1 -o scaled.model
train queries.txt --kernel gaussian:gamma=0.5 --random-features 8 --lambda 1 -o random.model
relation train square.tsv --rows similar.tsv --row-kernel precomputed --lambda 1 -o similar.model
relation train edges.tsv --rows similar.tsv --row-kernel precomputed --cols cols.tsv --col-kernel linear -o mixed.model
relation train edges.tsv --rows nodes.tsv --cols cols.tsv --learner two-step --lambda 1 -o two-step.model
relation train some.tsv --rows nodes.tsv --cols cols.tsv --solver primal --lambda 1 -o primal.model
export linear.model --to svmrank -o svm.dat
convert queries.txt x.npy
predict linear.model queries.txt -o queries.scores
predict linear.model queries.txt --trec-run ours -o run.txt
`

// corpusDir is a folder in memory where the system has one: a thousand commands wait for
// their small files to be on the disk, which other tests write to.
func corpusDir(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "pairrank-flags-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// makeCorpus writes the files of the corpus into a folder, enters it, and returns
// the commands.
func makeCorpus(t *testing.T) commands {
	t.Chdir(corpusDir(t))
	for name, text := range corpusFiles() {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	unitFiles(t)
	for line := range strings.Lines(strings.TrimSpace(corpusModels) + unitModels) {
		var stderr strings.Builder
		if err := run(t.Context(), strings.Fields(line), strings.NewReader(""), io.Discard, &stderr); err != nil {
			t.Fatalf("%s: %s", line, &stderr)
		}
	}
	out := commands{}
	all := strings.TrimSpace(corpusLines) + boardLines + strings.TrimSpace(unitLines)
	for line := range strings.Lines(strings.ReplaceAll(all, "\\\n", "")) {
		head, words, _ := strings.Cut(strings.TrimSpace(line), ":")
		c := command{args: strings.Fields(words)}
		if n, err := fmt.Sscanf(head, "%s %d", &c.name, &c.code); n == 0 {
			t.Fatalf("%q: %v", head, err)
		}
		verb := "pairrank"
		if len(c.args) > 0 {
			verb = c.args[0]
			if verb == "relation" || verb == "stream" {
				verb += " " + c.args[1]
			}
		}
		out[verb] = append(out[verb], c)
	}
	return out
}
