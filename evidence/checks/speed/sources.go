package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const affinities = "davis/drug-target_interaction_affinities_Kd__Davis_et_al.2011v1.txt.gz"

// sources are files of the work folder that are written from files of the data: as they are where they need no more.
var sources = map[string]struct {
	from  []string // below the folder
	write func(w *bufio.Writer, text io.Reader) error
}{
	"news.txt":          {[]string{"20newsgroups/20news_bydate_tfidf.svm.gz"}, plain},
	"golub.txt":         {[]string{"microarray/golub.svm.gz"}, plain},
	"mq2008.txt":        {parts("mq2008_letor4"), plain},
	"ohsumed25.txt":     {parts("ohsumed_letor2"), plain},
	"ohsumed45.txt":     {parts("ohsumed_letor3/QueryLevelNorm"), plain},
	"jester-user.txt":   {[]string{"jester/jester-data-1.txt.gz"}, ratings(true)},
	"jester-users.txt":  {[]string{"jester/jester-data-1.txt.gz"}, ratings(false)},
	"davis.tsv":         {[]string{affinities}, named("d", "t")},
	"davis-drugs.tsv":   {[]string{"davis/drug-drug_similarities_2D.txt.gz"}, named("d", "d")},
	"davis-targets.tsv": {[]string{"davis/target-target_similarities_WS.txt.gz"}, named("t", "t")},
	"yeast.tsv":         {[]string{"yeast_ppi/yeast_ppi_adj.txt.gz"}, named("p", "p")},
	"yeast-kernel.tsv":  {[]string{"yeast_ppi/yeast_ppi_kernel.txt.gz"}, named("p", "p")},
}

// parts are the five parts of a set of LETOR.
func parts(folder string) (files []string) {
	for k := range 5 {
		files = append(files, fmt.Sprintf("%s/S%d.txt.gz", folder, k+1))
	}
	return files
}

// unpack writes a file of the work folder from its sources.
func (m *measurement) unpack(w *bufio.Writer, name string) error {
	for _, file := range sources[name].from {
		in, err := os.Open(filepath.Join(m.data, file))
		if err != nil {
			return err
		}
		text, err := gzip.NewReader(in)
		if err == nil {
			err = sources[name].write(w, text)
		}
		if err := errors.Join(err, in.Close()); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// plain is the text as it is.
func plain(w *bufio.Writer, text io.Reader) error {
	_, err := io.Copy(w, text)
	return err
}

// lines are the words of each line.
func lines(text io.Reader) (all [][]string, err error) {
	s := bufio.NewScanner(text)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		all = append(all, strings.Fields(s.Text()))
	}
	return all, s.Err()
}

// named gives the rows and the columns of a matrix ids with these letters, and similarities of one kind of nodes, whose
// diagonal is not 1, the scale of their own similarities.
func named(rows, cols string) func(w *bufio.Writer, text io.Reader) error {
	return func(w *bufio.Writer, text io.Reader) error {
		matrix, err := lines(text)
		if err != nil {
			return err
		}
		own := make([]float64, len(matrix))
		for i := range matrix {
			own[i] = 1
			if v, _ := strconv.ParseFloat(matrix[i][min(i, len(matrix[i])-1)], 64); rows == cols && v > 0 {
				own[i] = math.Sqrt(v)
			}
		}
		fmt.Fprint(w, "id")
		for j := range matrix[0] {
			fmt.Fprintf(w, "\t%s%d", cols, j)
		}
		for i, cells := range matrix {
			fmt.Fprintf(w, "\n%s%d", rows, i)
			for j, cell := range cells {
				v, err := strconv.ParseFloat(cell, 64)
				if err != nil {
					return err
				}
				if rows == cols {
					v /= own[i] * own[j]
				}
				fmt.Fprintf(w, "\t%.9g", v)
			}
		}
		return w.WriteByte('\n')
	}
}

// ratings are a row for each user who rated all 100 jokes, or for each joke of the first 300 such users: the first
// rating is the label, the others are features.
func ratings(byJoke bool) func(w *bufio.Writer, text io.Reader) error {
	return func(w *bufio.Writer, text io.Reader) error { return writeRatings(w, text, byJoke) }
}

func writeRatings(w *bufio.Writer, text io.Reader, byJoke bool) error {
	all, err := lines(text)
	if err != nil {
		return err
	}
	var rated [][]string
	for _, line := range all {
		if line[0] == "100" {
			rated = append(rated, line[1:])
		}
	}
	if byJoke {
		byUser := rated[:300]
		rated = make([][]string, len(byUser[0]))
		for _, line := range byUser {
			for j, v := range line {
				rated[j] = append(rated[j], v)
			}
		}
	}
	for _, row := range rated {
		fmt.Fprint(w, row[0])
		for j, v := range row[1:] {
			fmt.Fprintf(w, " %d:%s", j+1, v)
		}
		fmt.Fprintln(w)
	}
	return nil
}
