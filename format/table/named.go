package table

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"pairrank/data"
	"pairrank/internal/quote"
)

// WriteNamedScores writes the scores of the rows of a set, v a row, as a table whose fields sep separates: a
// header, then a line for each row with its name, its query where the input names queries, and its scores. The
// header is id, query and score, or score_1 … score_v. The name of a row is DocID; a row without one is an error,
// and so is a name with a line end. It panics unless there are v scores for each row.
func WriteNamedScores(w io.Writer, sep byte, set *data.Set, scores []float64, v int) error {
	rows, _ := set.X.Dims()
	if len(scores) != rows*v {
		panic(fmt.Sprintf("table: %d scores of %d rows and %d outputs", len(scores), rows, v))
	}
	out := bufio.NewWriterSize(w, 1<<16)
	line := []byte("id")
	if set.HasQID {
		line = append(append(line, sep), "query"...)
	}
	for k := range v {
		line = append(append(line, sep), "score"...)
		if v > 1 {
			line = strconv.AppendInt(append(line, '_'), int64(k+1), 10)
		}
	}
	out.Write(append(line, '\n'))
	for i := range rows {
		id := set.DocID(i)
		if id == "" {
			return fmt.Errorf("row %d has no name", set.Number(i)+1)
		}
		line, err := quote.AppendField(line[:0], id, sep)
		if err == nil && set.HasQID {
			line, err = quote.AppendField(append(line, sep), set.Queries.ID(int(set.Queries.Of()[i])), sep)
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", set.Number(i)+1, err)
		}
		for _, s := range scores[i*v : (i+1)*v] {
			line = strconv.AppendFloat(append(line, sep), s, 'g', -1, 64)
		}
		out.Write(append(line, '\n'))
	}
	return out.Flush()
}
