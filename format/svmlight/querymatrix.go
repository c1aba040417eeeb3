package svmlight

import "pairrank/data"

// matrix returns the matrix of the rows of a query. It uses their memory if it already has the
// layout of the text, else that of the splitter.
func (s *querySplitter) matrix(q *queryRows) (data.Matrix, error) {
	m, n := len(q.y), max(q.width, s.opts.leastFeatures())
	end := q.ends[m-1]
	if !s.wantsDense(m, n, q.nonzero) {
		return s.sparse(q, n, end), nil
	}
	if end-q.start == m*n { // no index is left out
		return data.NewDense(m, n, q.vals[q.start:end:end]), nil
	}
	if err := s.fits(q, 8*float64(m)*float64(n)); err != nil {
		return nil, err
	}
	s.used.vals = room(s.used.vals, m*n)
	x := data.NewDense(m, n, s.used.vals)
	clear(x.Data)
	from := q.start
	for i, to := range q.ends {
		row := x.Row(i)
		for k := from; k < to; k++ {
			row[q.cols[k]] = q.vals[k]
		}
		from = to
	}
	return x, nil
}

// wantsDense reports whether m rows of n features are stored dense.
func (s *querySplitter) wantsDense(m, n, nonzero int) bool {
	switch s.opts.Storage {
	case StoreDense:
		return true
	case StoreCSR:
		return false
	}
	return float64(nonzero) >= DenseFrom*float64(m)*float64(n)
}

// sparse returns the rows without their zeros.
func (s *querySplitter) sparse(q *queryRows, n, end int) *data.CSR {
	m := len(q.y)
	s.used.ends = room(s.used.ends, m+1)
	x := &data.CSR{Rows: m, Cols: n, Ptr: s.used.ends}
	x.Ptr[0] = 0
	if end-q.start == q.nonzero {
		for i, to := range q.ends {
			x.Ptr[i+1] = to - q.start
		}
		x.Col, x.Val = q.cols[q.start:end:end], q.vals[q.start:end:end]
		return x
	}
	s.used.cols, s.used.vals = room(s.used.cols, q.nonzero), room(s.used.vals, q.nonzero)
	x.Col, x.Val = s.used.cols, s.used.vals
	at, from := 0, q.start
	for i, to := range q.ends {
		for k := from; k < to; k++ {
			if v := q.vals[k]; v != 0 {
				x.Col[at], x.Val[at] = q.cols[k], v
				at++
			}
		}
		x.Ptr[i+1], from = at, to
	}
	return x
}

// room returns n items, in the memory of s if that is enough.
func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
