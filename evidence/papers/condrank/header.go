package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"pairrank/evidence/papers/experiment"
)

// messages describes the two sets, and what of their headers the messages have.
func messages(ctx context.Context, s settings) (found experiment.Result, err error) {
	all, err := readNews(ctx, s.dir)
	if err != nil {
		return found, err
	}
	words, err := headerWords(s.dir, all)
	if err != nil {
		return found, err
	}
	counted := all.counts()
	t := experiment.NewTable("set", "%.0f", "groups", "%.0f", "messages", "%.0f", "edges", "%.0f",
		"different words of a message, median", "%.0f", "most of one word in a message", "%.0f")
	for k, groups := range sets {
		set := counted.of(groups, 0, s.seed)
		different := make([]float64, len(set.group))
		for i := range different {
			_, times := set.x.Row(i)
			different[i] = float64(len(times))
		}
		t.Row(k+1, len(groups), len(set.group), len(set.group)*len(set.group), experiment.Median(different),
			slices.Max(set.x.Val))
	}
	found.Add(t)
	found.Text("How many of the %d messages of all groups have a word that begins a line of a header:", len(all.group))
	found.Add(words)
	return found, nil
}

// headers are words that begin the lines of a message's header; the collection sorted
// by date leaves out the lines of the last three, which can name the newsgroup.
var headers = []string{"from", "subject", "organization", "lines", "newsgroups", "xref", "followup"}

// headerWords counts the messages that have the words of a header: as the vocabulary has
// it, and those in whose features the word is. A word of all messages is in none, since
// it tells nothing.
func headerWords(dir string, all *news) (*experiment.Table, error) {
	known, err := readVocabulary(filepath.Join(dir, "20newsgroups", "20news_bydate_vocab.tsv.gz"))
	if err != nil {
		return nil, err
	}
	with := make([]int, all.x.Cols)
	for _, j := range all.x.Col {
		with[j]++
	}
	t := experiment.NewTable("word", "%s", "messages", "%.0f", "in the features of", "%.0f")
	for _, word := range headers {
		w, features := known[word], 0
		if w.number > 0 && w.number <= len(with) {
			features = with[w.number-1]
		}
		t.Row(word, w.messages, features)
	}
	return t, nil
}

// known is a word of the vocabulary: its feature, from 1, and how many messages have it.
type known struct{ number, messages int }

// readVocabulary reads lines with the number of a feature from 1, its word, and how many
// messages have it.
func readVocabulary(path string) (map[string]known, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	words := map[string]known{}
	lines := bufio.NewScanner(text)
	for n := 1; lines.Scan(); n++ {
		var w known
		var word string
		if _, err := fmt.Sscanf(lines.Text(), "%d\t%s\t%d", &w.number, &word, &w.messages); err != nil {
			return nil, fmt.Errorf("%s:%d: %q is no number, word and number: %w", path, n, lines.Text(), err)
		}
		words[word] = w
	}
	return words, lines.Err()
}
