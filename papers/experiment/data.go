package experiment

import "pairrank/data"

// Join is the rows of several dense sets of the same features, which share no
// query.
func Join(sets ...*data.Set) *data.Set {
	_, n := sets[0].X.Dims()
	x := data.NewDense(0, n, nil)
	out := &data.Set{HasQID: true}
	var of []int32
	var ids []string
	for _, s := range sets {
		x.Data = append(x.Data, s.X.(*data.Dense).Data...)
		x.Rows += len(s.Y)
		out.Y = append(out.Y, s.Y...)
		for _, g := range s.Queries.Of() {
			of = append(of, g+int32(len(ids)))
		}
		for g := range s.Queries.Len() {
			ids = append(ids, s.Queries.ID(g))
		}
	}
	out.X, out.Queries = x, data.NewQueries(of, ids)
	return out
}
