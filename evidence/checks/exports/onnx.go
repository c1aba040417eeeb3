package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/export"
	"pairrank/model"
	"pairrank/relation/pairmodel"
)

// onnxruntime is the package that runs the graphs.
const onnxruntime = "onnxruntime-web@1.30.0"

// bar is the largest relative difference that is wanted, and singleBar that of sums in single precision.
const (
	bar       = 1e-12
	singleBar = 1e-6
)

//go:embed run.mjs
var runScript []byte

// job is a graph and its inputs, as the script reads them.
type job struct {
	File   string  `json:"file"`
	Inputs []input `json:"inputs"`
}

type input struct {
	Name string    `json:"name"`
	Dims [2]int    `json:"dims"`
	Data []float64 `json:"data"`
}

func inputOf(name string, x *data.Dense) input { return input{name, [2]int{x.Rows, x.Cols}, x.Data} }

// exported writes a model into a file of the folder.
func exported[M *model.Model | *pairmodel.Model](folder, file string, m M, t export.Target, o export.Options) error {
	var b bytes.Buffer
	if _, err := export.Write(&b, m, t, o); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, file), b.Bytes(), 0o666)
}

func onnxTable(ctx context.Context, s settings) (found experiment.Result, err error) {
	folder := filepath.Join(s.folder, "onnx")
	if err := os.Mkdir(folder, 0o777); err != nil {
		return found, err
	}
	if err := install(ctx, folder, onnxruntime); err != nil {
		return found, err
	}
	var jobs []job
	var labels []string
	var wants [][]float64
	add := func(label string, want []float64, inputs ...input) string {
		file := fmt.Sprintf("m%d.onnx", len(jobs))
		jobs, labels, wants = append(jobs, job{file, inputs}), append(labels, label), append(wants, want)
		return file
	}
	simple, err := simpleCases()
	if err != nil {
		return found, err
	}
	kernels, err := kernelCases()
	if err != nil {
		return found, err
	}
	for _, c := range append(simple, kernels...) {
		if err := exported(folder, add(c.name, c.want, inputOf("X", c.x)), c.m, export.ONNX,
			export.Options{}); err != nil {
			return found, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	pairs, err := pairCases()
	if err != nil {
		return found, err
	}
	for _, c := range pairs {
		if err := exported(folder, add(c.name, c.want, inputOf("rows", c.rows), inputOf("cols", c.cols)), c.p,
			export.ONNX, export.Options{}); err != nil {
			return found, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	scores, err := runJobs(ctx, folder, jobs)
	if err != nil {
		return found, err
	}
	var t tally
	for k, j := range jobs {
		t.add(labels[k], scores[j.File], wants[k], kindOf(labels[k], len(j.Inputs)))
	}
	each, largest := t.worst()
	found.Text("%s, %d graphs, %d rows or pairs each: the largest difference is %.1e of a score and %.1e of the "+
		"largest score of its model; the bar is %.0e. A score that is a small difference of large terms has fewer "+
		"digits of its own, wherever it is computed.",
		onnxruntime, len(jobs), count, each, largest, bar)
	found.Add(t.table("model"))
	return found, errors.Join(t.missed...)
}

// kindOf is the first word of a label, and of pairs that they are.
func kindOf(label string, inputs int) string {
	kind, _, _ := strings.Cut(label, ",")
	kind, _, _ = strings.Cut(kind, ":")
	if inputs == 1 {
		return kind
	}
	kind, _, _ = strings.Cut(kind, " of ")
	return "pairs, " + kind
}

// runJobs has the graphs run, without a network: node opens none.
func runJobs(ctx context.Context, folder string, jobs []job) (map[string][]float64, error) {
	text, err := json.Marshal(jobs)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "jobs.json"), text, 0o666); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "run.mjs"), runScript, 0o666); err != nil {
		return nil, err
	}
	out, err := run(ctx, folder, "node", "run.mjs")
	if err != nil {
		return nil, err
	}
	scores := map[string][]float64{}
	return scores, json.Unmarshal(out, &scores)
}
