package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"strings"
)

// damage is a file that is made of another one.
type damage struct {
	name, from string
	change     func([]byte) []byte
}

func cut(bytes int) func([]byte) []byte {
	return func(text []byte) []byte { return text[:len(text)-bytes] }
}

func swap(old, now string) func([]byte) []byte {
	return func(text []byte) []byte { return []byte(strings.ReplaceAll(string(text), old, now)) }
}

// edited is a model with other text, or none, in place of the line that begins with
// some words, and a checksum that fits again.
func edited(words, now string) func([]byte) []byte {
	return func(text []byte) []byte {
		head, rest, found := strings.Cut("\n"+string(text), "\n"+words)
		if !found {
			return nil
		}
		_, rest, _ = strings.Cut(rest, "\n")
		body, _, _ := strings.Cut((head + "\n" + now + rest)[1:], "checksum sha256 ")
		return fmt.Appendf(nil, "%schecksum sha256 %x\n", body, sha256.Sum256([]byte(body)))
	}
}

// squeezed is text compressed by gzip.
func squeezed(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(text)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(err) // a Buffer does not fail
	}
	return b.Bytes()
}

var damages = []damage{
	// Text.
	{"crlf.txt", "docs.txt", swap("\n", "\r\n")},
	{"cr.txt", "docs.txt", swap("\n", "\r")},
	{"no-end.txt", "docs.txt", cut(1)},
	{"nul.txt", "four.txt", swap("4 1", "4\x00 1")},
	{"latin.txt", "docs.txt", swap("d5", "d\xe9")},
	{"latin-qid.txt", "docs.txt", swap("qid:5", "qid:\xe95")},
	{"latin.csv", "rows.csv", swap("rating", "r\xe9ting")},
	{"bom.txt", "docs.txt", func(text []byte) []byte { return append([]byte("\xef\xbb\xbf"), text...) }},
	{"bom.csv", "rows.csv", func(text []byte) []byte { return append([]byte("\xef\xbb\xbf"), text...) }},
	{"crlf.csv", "rows.csv", swap("\n", "\r\n")},
	{"cr.csv", "rows.csv", swap("\n", "\r")},
	{"wide.csv", "rows.csv", swap("b,grade", "b,new")},
	{"semicolon.csv", "rows.csv", swap(",", ";")},
	{"blanks.tsv", "rows.csv", swap(",", "\t")},
	{"crlf.scores", "list.scores", swap("\n", "\r\n")},
	{"latin-names.txt", "names.txt", swap("second", "s\xe9cond")},
	{"control-names.txt", "names.txt", swap("second", "s\x1b[31m")},
	{"latin-nodes.tsv", "nodes.tsv", swap("n3", "n\xe9")},
	{"crlf-nodes.tsv", "nodes.tsv", swap("\n", "\r\n")},
	{"cr-edges.tsv", "edges.tsv", swap("\n", "\r")},
	{"csv-nodes.csv", "nodes.tsv", swap("\t", ",")},
	{"alike-nodes.tsv", "nodes.tsv", swap("n3", "n2")},
	{"wide-nodes.tsv", "nodes.tsv", swap("\tv\n", "\tw\n")},
	{"cr.qrels", "qrels.txt", swap("\n", "\r")},
	{"long-line.txt.gz", "four.txt", func(text []byte) []byte {
		return squeezed(append(text, "1 1:1 # "+strings.Repeat("x", 17<<20)+"\n"...))
	}},
	// Compressed.
	{"cut.txt.gz", "docs.txt.gz", cut(9)},
	{"damaged.txt.gz", "docs.txt.gz", func(text []byte) []byte {
		text = bytes.Clone(text)
		text[len(text)/2] ^= 0xff
		return text
	}},
	{"cut.txt.zst", "docs.txt.zst", cut(3)},
	{"docs.data", "docs.txt.gz", cut(0)},
	{"kernel.tsv.gz", "kernel.tsv", squeezed},
	{"linear.model.gz", "linear.model", squeezed},
	{"edges.tsv.gz", "edges.tsv", squeezed},
	{"other.scores.gz", "other.scores", squeezed},
	{"cut.npz", "docs.npz", cut(10)},
	{"flipped.npz", "docs.npz", swap("descr", "eescr")},
	{"docs.npz.gz", "docs.npz", squeezed},

	// Models.
	{"cut.model", "linear.model", cut(20)},
	{"more.model", "linear.model", func(text []byte) []byte { return append(bytes.Clone(text), "more\n"...) }},
	{"altered.model", "linear.model", swap("rows 60", "rows 61")},
	{"crlf.model", "linear.model", swap("\n", "\r\n")},
	{"cr.model", "linear.model", swap("\n", "\r")},
	{"later.model", "linear.model", edited("pairrank model", "pairrank model 7\n")},
	{"version.model", "linear.model", edited("pairrank model", "pairrank model one\n")},
	{"unknown.model", "linear.model", edited("cost", "price magnitude\n")},
	{"twice.model", "linear.model", edited("cost", "rows 60\n")},
	{"lambda.model", "linear.model", edited("lambda", "lambda NaN\n")},
	{"rows.model", "linear.model", edited("rows", "rows -1\n")},
	{"features.model", "linear.model", edited("features", "features 4\n")},
	{"fewer.model", "linear.model", edited("features", "features 2\n")},
	{"outputs-count.model", "linear.model", edited("outputs", "outputs 9999999\n")},
	{"kernel.model", "linear.model", edited("kernel", "kernel rbf\n")},
	{"no-kernel.model", "linear.model", edited("kernel", "")},
	{"no-outputs.model", "linear.model", edited("outputs", "")},
	{"order.model", "linear.model", edited("kernel", "outputs 1\nkernel linear\n")},
	{"selection.model", "queries.model", edited("selection", "selection lqo\n")},
	{"names.model", "csv.model", edited("\"a\"", "a\n")},
	{"name-feature.model", "csv.model", edited("\"a\"", "\"b\"\n")},
	{"normalizer.model", "zscore.model", edited("normalizer", "normalizer rank\n")},
	{"shift.model", "zscore.model", edited("normalizer zscore", "normalizer zscore\nInf 1\n")},
	{"support.model", "gaussian.model", edited("support", "support banded 24\n")},
	{"support-count.model", "gaussian.model", edited("support", "support dense 99999999\n")},
	{"gamma.model", "gaussian.model", edited("kernel", "kernel gaussian:gamma=-1\n")},
	{"support-rows.model", "given.model", edited("5", "7\n")},
	{"stumps.model", "boost.model", edited("stumps", "stumps 400\n")},
	{"stump-version.model", "boost.model", edited("pairrank model", "pairrank model 1\n")},
	{"pairwise.model", "edges.model", edited("pairwise", "pairwise tensor\n")},
	{"domains.model", "edges.model", edited("domains", "domains 3\n")},
	{"coefficients.model", "square.model", edited("coefficients", "coefficients banded\n")},
	{"node-twice.model", "square.model", edited("\"n2\"", "\"n1\"\n")},
	{"row-support.model", "square.model", edited("row-support", "row-support banded\n")},
	{"row-kernel.model", "square.model", edited("row-kernel", "")},
	{"row-names.model", "square.model", edited("row-names", "row-names\n\"u\"\n")},
	{"row-shift.model", "shifted.model", edited("row-shift", "row-shift -1\n")},
	{"row-normalizer.model", "unit.model", edited("row-normalizer", "row-normalizer sine\n")},
}

// damaged makes the files of damages.
func damaged(f inputs) error {
	for _, d := range damages {
		text, known := f[d.from]
		if !known {
			return fmt.Errorf("%s is made of %s, which there is not", d.name, d.from)
		}
		if f[d.name] = d.change(text); len(f[d.name]) == 0 {
			return fmt.Errorf("%s: what is to be changed is not in %s", d.name, d.from)
		}
	}
	return nil
}
