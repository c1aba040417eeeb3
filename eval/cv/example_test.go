package cv_test

import (
	"fmt"

	"pairrank/eval/cv"
)

// The ROC curve of four scored rows, two of them positive.
func ExampleNewROC() {
	roc, err := cv.NewROC([]float64{0.9, 0.7, 0.4, 0.1}, []float64{1, 0, 1, 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("AUC", roc.AUC)
	fmt.Println("sensitivity at specificity 0.5:", roc.At(0.5).Sensitivity)
	// Output:
	// AUC 0.75
	// sensitivity at specificity 0.5: 1
}
