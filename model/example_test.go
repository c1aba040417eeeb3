package model_test

import (
	"bytes"
	"fmt"

	"pairrank/data"
	"pairrank/model"
)

// A model is saved as text, read back, and scores a row.
func Example() {
	made := &model.Model{Info: model.Info{Learner: "rls"},
		Scorer: &model.Linear{Weights: data.NewDense(1, 2, []float64{3, -1})}}
	var file bytes.Buffer
	if err := made.Write(&file); err != nil {
		fmt.Println(err)
		return
	}
	read, err := model.Read(&file, "model.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.ScoreRow([]float64{1, 2}))
	// Output: 1
}
