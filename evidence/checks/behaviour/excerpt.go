package main

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	mostLines   = 12      // of an excerpt
	widest      = 150     // characters of a line of an excerpt
	mostCompare = 1 << 21 // pairs of lines up to which the shortest edit is looked for
)

// excerpt shows where two texts differ, as diff -u does, in a few lines.
func excerpt(a, b []byte) []string {
	if !isText(a) || !isText(b) {
		return []string{fmt.Sprintf("binary: %d and %d bytes, which differ from byte %d on", len(a), len(b), alike(a, b)+1)}
	}
	x, y := lines(a), lines(b)
	same := alike(x, y)
	out := []string{fmt.Sprintf("@@ line %d @@", same+1)}
	if same > 0 {
		out = append(out, " "+clipped(x[same-1], 0))
	}
	edits := edit(x[same:], y[same:])
	if len(out)+len(edits) > mostLines {
		edits = append(edits[:mostLines-len(out)-1],
			fmt.Sprintf("… and %d lines more", len(edits)-(mostLines-len(out)-1)))
	}
	return append(out, edits...)
}

// alike is how many entries at the beginning of two lists are the same.
func alike[T comparable](a, b []T) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func isText(text []byte) bool { return utf8.Valid(text) && !bytes.ContainsRune(text, 0) }

// lines splits text; a last line without its end is marked.
func lines(text []byte) []string {
	all := strings.Split(string(text), "\n")
	if last := len(all) - 1; all[last] == "" {
		return all[:last]
	}
	all[len(all)-1] += " (no line end)"
	return all
}

// edit is the shortest list of lines taken away and added, by the longest common
// subsequence, with one of context where there is a gap; of long texts it takes all
// lines of x for those of y.
func edit(x, y []string) (out []string) {
	n, m := len(x), len(y)
	for n > 0 && m > 0 && x[n-1] == y[m-1] {
		n, m = n-1, m-1
	}
	x, y = x[:n], y[:m]
	if n*m > mostCompare || n == 1 && m == 1 {
		return block(x, y)
	}
	common := commonLines(x, y)
	for i, j := 0, 0; i < n || j < m; {
		a, b := nextCommon(common, x, y, i, j)
		out = append(out, block(x[i:a], y[j:b])...)
		same := alike(x[a:], y[b:])
		if i, j = a+same, b+same; same > 0 {
			out = append(out, " "+clipped(x[i-1], 0))
		}
	}
	return out
}

// nextCommon returns where the shortest edit from lines i and j on has its next line of both texts, or their ends.
func nextCommon(common [][]int32, x, y []string, i, j int) (int, int) {
	n, m := len(x), len(y)
	for (i < n || j < m) && (i == n || j == m || x[i] != y[j]) {
		if j == m || i < n && common[i+1][j] >= common[i][j+1] {
			i++
		} else {
			j++
		}
	}
	return i, j
}

// commonLines counts the lines of the longest common subsequence of x[i:] and y[j:], for
// all i and j.
func commonLines(x, y []string) [][]int32 {
	n, m := len(x), len(y)
	common := make([][]int32, n+1)
	for i := range common {
		common[i] = make([]int32, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); x[i] == y[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	return common
}

// block shows lines in place of others, from where the first two of them differ.
func block(x, y []string) (out []string) {
	from := 0
	if len(x) > 0 && len(y) > 0 {
		from = alike([]byte(x[0]), []byte(y[0]))
	}
	for _, line := range x {
		out = append(out, "-"+clipped(line, from))
	}
	for _, line := range y {
		out = append(out, "+"+clipped(line, from))
	}
	return out
}

// clipped is a line that may be too wide to show, with what stands at a byte of it.
func clipped(line string, at int) string {
	if len(line) <= widest {
		return line
	}
	from := max(0, min(at-widest/3, len(line)-widest))
	text := strings.ToValidUTF8(line[from:min(len(line), from+widest)], "")
	if from > 0 {
		text = "…" + text
	}
	if from+widest < len(line) {
		text += "…"
	}
	return text
}
