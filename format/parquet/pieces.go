package parquet

import "pairrank/internal/parallel"

// piece is some leaves of a row group.
type piece struct {
	part   *part
	group  int
	first  int // the number of rows before
	rows   int
	leaves []int
}

// pieces cuts the leaves of all row groups into pieces: at least one for each core, where there are
// as many leaves.
func (s *source) pieces(leaves []int) []piece {
	groups := 0
	for _, p := range s.parts {
		groups += len(p.in.RowGroups())
	}
	if groups == 0 || len(leaves) == 0 {
		return nil
	}
	cuts := max(1, min(len(leaves), (parallel.Workers()+groups-1)/groups))
	var all []piece
	for _, p := range s.parts {
		first := p.first
		for g, group := range p.in.RowGroups() {
			rows := int(group.NumRows())
			for cut := range cuts {
				lo, hi := cut*len(leaves)/cuts, (cut+1)*len(leaves)/cuts
				all = append(all, piece{p, g, first, rows, leaves[lo:hi]})
			}
			first += rows
		}
	}
	return all
}
