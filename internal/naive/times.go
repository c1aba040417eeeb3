package naive

// TimedPairs lists the comparable pairs of censored times, I the longer: J had the event, and its time is shorter, or
// the same and I is censored. cost, weight and query are those of Pairs; byCensoring weighs a pair by 1/G(t_J−)², the
// square of the Kaplan–Meier estimate of the time until censoring in the query.
func TimedPairs(times []float64, censored []bool, query []int, cost, weight string, byCensoring bool) []Pair {
	return WeightedTimedPairs(times, censored, query, nil, cost, weight, byCensoring)
}

// WeightedTimedPairs is TimedPairs of rows with weights, nil for 1 each: a pair counts their product, and the estimate
// of G counts each row as often.
func WeightedTimedPairs(times []float64, censored []bool, query []int, weights []float64, cost, weight string,
	byCensoring bool) (pairs []Pair) {
	of := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	for i, q := range query {
		for j, other := range query {
			if q != other || censored[j] || !(times[j] < times[i] || times[j] == times[i] && censored[i]) {
				continue
			}
			p := Pair{I: i, J: j, Target: times[i] - times[j], Weight: of(i) * of(j)}
			if cost == "unit" {
				p.Target = 1
			}
			if byCensoring {
				g := uncensored(times, censored, query, of, q, times[j])
				p.Weight /= g * g
			}
			pairs = append(pairs, p)
		}
	}
	return weighQueries(pairs, query, of, weight)
}

// uncensored is the Kaplan–Meier estimate of the share of a query that is not censored before t, where the events of a
// time leave before its censored rows.
func uncensored(times []float64, censored []bool, query []int, of func(i int) float64, q int, t float64) float64 {
	product, done := 1.0, map[float64]bool{}
	for i, u := range times {
		if query[i] != q || !censored[i] || !(u < t) || done[u] {
			continue
		}
		done[u] = true
		leave, left := 0.0, 0.0
		for j, v := range times {
			if query[j] == q && (v > u || v == u && censored[j]) {
				left += of(j)
				if v == u {
					leave += of(j)
				}
			}
		}
		product *= 1 - leave/left
	}
	return product
}
