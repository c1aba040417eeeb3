package contribution_test

import (
	"fmt"

	"pairrank/data"
	"pairrank/model"
	"pairrank/model/contribution"
)

func ExampleBetween() {
	m := &model.Model{Info: model.Info{Learner: "rankrls"}, Names: []string{"age", "dose", "weight"},
		Scorer: &model.Linear{Weights: data.NewDense(1, 3, []float64{0.5, -2, 1})}}
	sum, err := contribution.Between(m, []float64{40, 1, 3}, []float64{30, 2, 3.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	top := sum.Top(2)
	fmt.Println("a stands above b by", sum.Total)
	for _, p := range top.Parts {
		fmt.Println(p.Name, p.Contribution)
	}
	fmt.Println("the rest", top.Rest)
	// Output:
	// a stands above b by 6.5
	// age 5
	// dose 2
	// the rest -0.5
}
