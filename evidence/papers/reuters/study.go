package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"time"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
)

// numTopics is how many topics the paper has: the most numerous.
const numTopics = 25

// tasks are the documents with how often they have each word, and the labels of their
// most numerous topics.
type tasks struct {
	*collection
	counts *data.CSR
	names  []string
	y      []float64 // m×v
	totals []int     // positive documents of each topic
}

// loadTasks reads the documents.
func loadTasks(ctx context.Context, dir string) (*tasks, error) {
	c, err := load(ctx, dir)
	if err != nil {
		return nil, err
	}
	n, err := counts(c.x, c.idf)
	if err != nil {
		return nil, err
	}
	t := &tasks{collection: c, counts: n, names: c.numerous(numTopics)}
	for k, topic := range t.names {
		if topic != paper[k].topic {
			return nil, fmt.Errorf("topic %d is %s, and in the paper %s", k+1, topic, paper[k].topic)
		}
	}
	t.y = c.labels(t.names)
	for k := range t.names {
		t.totals = append(t.totals, positive(column(t.y, numTopics, k)))
	}
	return t, nil
}

// positive is how many labels are 1.
func positive(y []float64) (n int) {
	for _, label := range y {
		n += int(label)
	}
	return n
}

// comparison is what learners reach over the draws, by learner, draw and topic.
type comparison struct {
	learners []learner
	reached  [][][]reached
	refused  int // draws with too few positive documents
}

// study draws, and has every learner learn from each draw.
func (t *tasks) study(ctx context.Context, s settings, f form, learners ...learner) (*comparison, error) {
	began := time.Now()
	x := f.of(t.counts, t.idf)
	out := &comparison{learners: learners, reached: make([][][]reached, len(learners))}
	for d := range s.draws {
		drawn, err := newTrial(x, t.y, numTopics, trainingSize, s.octaves, s.seed+uint64(d))
		if err != nil {
			return nil, err
		}
		out.refused += drawn.refused
		for l, learner := range learners {
			r, err := learner.learn(ctx, drawn)
			if err != nil {
				return nil, fmt.Errorf("%s, draw %d: %w", learner.name, d+1, err)
			}
			out.reached[l] = append(out.reached[l], r)
		}
		fmt.Fprintf(os.Stderr, "reuters: %s: draw %d after %.0f s\n", f.name, d+1, time.Since(began).Seconds())
	}
	return out, nil
}

// topic is the AUC of learner l in topic k, draw by draw.
func (s *comparison) topic(l, k int) (auc []float64) {
	for _, draw := range s.reached[l] {
		auc = append(auc, draw[k].auc)
	}
	return auc
}

// mean is the mean over the topics of the AUC of learner l, draw by draw.
func (s *comparison) mean(l int) (auc []float64) {
	for _, draw := range s.reached[l] {
		sum := 0.0
		for _, r := range draw {
			sum += r.auc
		}
		auc = append(auc, sum/float64(len(draw)))
	}
	return auc
}

// averages are the AUC of learner l in each topic, the mean of the draws.
func (s *comparison) averages(l int) (auc []float64) {
	for k := range s.reached[l][0] {
		mean, _ := experiment.Moments(s.topic(l, k))
		auc = append(auc, mean)
	}
	return auc
}

// apart is how far one more draw is from the mean of n of them by chance, in 95 of 100
// times; ofApart says so.
func apart(sd float64, n int) float64 {
	return experiment.HalfInterval(sd*math.Sqrt(1+1/float64(n)), n-1)
}

func ofApart(n int) string { return fmt.Sprintf("t of one draw less the mean of %d", n) }

// quotedMean is the mean over the topics of what the paper says.
func quotedMean(of func(q quoted) published) float64 {
	sum := 0.0
	for _, q := range paper {
		sum += of(q).auc
	}
	return sum / float64(len(paper))
}

// meanMargin is the margin of means over the topics: half of what the paper's learners
// differ by.
func meanMargin() float64 {
	return experiment.HalfRange(quotedMean(ofRankRLS), quotedMean(ofRLS), quotedMean(ofRankSVM))
}

// meanFinding compares the mean over the topics with the paper.
func meanFinding(place, what string, theirs float64, ours []float64) experiment.Finding {
	mean, sd := experiment.Moments(ours)
	return experiment.Finding{Paper: "2009", Place: place, What: what, Format: "%.3f",
		Says: fmt.Sprintf("of its %d: %.3f", numTopics, theirs), Theirs: theirs, Ours: mean,
		Within: apart(sd, len(ours)), Of: ofApart(len(ours)), Margin: meanMargin()}
}
