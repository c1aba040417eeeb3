package holdout

// list is rows of one query within a group: their labels of one output, their weights, or nil, and
// their places in the group's predictions.
type list struct {
	y        []float64
	censored []bool // of times
	weights  []float64
	at       []int32
}

// add adds the row at a place, with its label.
func (l *list) add(labels Labels, i int32, a, output int) {
	l.y, l.at = append(l.y, labels.Y[int(i)*labels.outputs()+output]), append(l.at, int32(a))
	if labels.Censored != nil {
		l.censored = append(l.censored, labels.Censored[i])
	}
	if labels.Weights != nil {
		l.weights = append(l.weights, labels.Weights[i])
	}
}
