package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pairrank/experiments/internal/experiment"
)

// headers are words that begin the lines of a message's header; the collection sorted
// by date leaves out the lines of the last three, which can name the newsgroup.
var headers = []string{"from", "subject", "organization", "lines", "newsgroups", "xref", "followup"}

// headerWords counts the messages that have the words of a header.
func headerWords(dir string, all *news) (*experiment.Table, error) {
	number, err := readVocabulary(filepath.Join(dir, "20newsgroups", "20news_bydate_vocab.tsv.gz"))
	if err != nil {
		return nil, err
	}
	with := make([]int, all.x.Cols)
	for _, j := range all.x.Col {
		with[j]++
	}
	t := experiment.NewTable("word", "%s", "messages", "%.0f")
	for _, word := range headers {
		messages := 0
		if j, found := number[word]; found && j < len(with) {
			messages = with[j]
		}
		t.Row(word, messages)
	}
	return t, nil
}

// readVocabulary reads the features of words: lines with a number from 1, the word, and
// how many messages have it.
func readVocabulary(path string) (map[string]int, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	number := map[string]int{}
	lines := bufio.NewScanner(text)
	for n := 1; lines.Scan(); n++ {
		cells := strings.Split(lines.Text(), "\t")
		j, err := strconv.Atoi(cells[0])
		if err != nil || len(cells) < 2 {
			return nil, fmt.Errorf("%s:%d: %q is no number, tab and word", path, n, lines.Text())
		}
		number[cells[1]] = j - 1
	}
	return number, lines.Err()
}
