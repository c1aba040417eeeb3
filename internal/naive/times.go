package naive

// TimedPairs lists the comparable pairs of censored times, I the longer: J had the event, and its time is shorter, or
// the same and I is censored. cost, weight and query are those of Pairs; byCensoring weighs a pair by 1/G(t_J−)², the
// square of the Kaplan–Meier estimate of the time until censoring in the query.
func TimedPairs(times []float64, censored []bool, query []int, cost, weight string, byCensoring bool) (pairs []Pair) {
	for i, q := range query {
		for j, other := range query {
			if q != other || censored[j] || !(times[j] < times[i] || times[j] == times[i] && censored[i]) {
				continue
			}
			p := Pair{I: i, J: j, Target: times[i] - times[j], Weight: 1}
			if cost == "unit" {
				p.Target = 1
			}
			if byCensoring {
				g := uncensored(times, censored, query, q, times[j])
				p.Weight = 1 / (g * g)
			}
			pairs = append(pairs, p)
		}
	}
	return weighQueries(pairs, query, func(int) float64 { return 1 }, weight)
}

// uncensored is the Kaplan–Meier estimate of the share of a query that is not censored before t, where the events of a
// time leave before its censored rows.
func uncensored(times []float64, censored []bool, query []int, q int, t float64) float64 {
	product, done := 1.0, map[float64]bool{}
	for i, u := range times {
		if query[i] != q || !censored[i] || !(u < t) || done[u] {
			continue
		}
		done[u] = true
		leave, left := 0.0, 0.0
		for j, v := range times {
			if query[j] == q && (v > u || v == u && censored[j]) {
				left++
				if v == u {
					leave++
				}
			}
		}
		product *= 1 - leave/left
	}
	return product
}
