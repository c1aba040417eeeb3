package page

import (
	"fmt"
	"math"

	"pairrank/eval/cv"
	"pairrank/internal/figure"
	"pairrank/internal/report"
)

// mostPoints is the number of points of a curve that are drawn and listed.
const mostPoints = 100

// rocItem is the ROC curve of an estimate, nil if it has none.
func rocItem(d *report.Estimate) *item {
	r := d.ROC
	if r == nil || len(r.Points) == 0 {
		return nil
	}
	share := &[2]float64{0, 1}
	plot := &figure.Plot{
		X:     figure.Axis{Label: "false positive rate, 1 − specificity", Include: []float64{0, 1}, Within: share},
		Y:     figure.Axis{Label: "sensitivity", Include: []float64{0, 1}, Within: share},
		Rules: []figure.Rule{{Slope: true}},
	}
	line := figure.Line{}
	t := table{caption: "Points of the ROC curve",
		head: []string{"score of at least", "false positive rate", "sensitivity"}}
	for _, k := range report.Spaced(len(r.Points), mostPoints) {
		p := r.Points[k]
		threshold := "none"
		if !math.IsInf(p.Threshold, 0) {
			threshold = figure.Short(p.Threshold)
		}
		x, y := number(report.Number(p.FalsePositiveRate)), number(report.Number(p.Sensitivity))
		t.rows = append(t.rows, []string{threshold, x, y})
		line.X, line.Y = append(line.X, p.FalsePositiveRate), append(line.Y, p.Sensitivity)
		line.Says = append(line.Says, threshold+": "+y)
	}
	plot.Lines = []figure.Line{line}
	i := &item{table: t}
	if len(r.Band) > 0 {
		band := figure.Band{}
		for _, s := range r.Band {
			band.X = append(band.X, 1-float64(s.Specificity))
			band.Lo, band.Hi = append(band.Lo, s.CI95.Lo), append(band.Hi, s.CI95.Hi)
		}
		plot.Bands = []figure.Band{band}
	}
	i.Title, i.Body = "The area under the ROC curve is "+number(r.AUC), plot
	i.Desc = "The ROC curve from (0,0) to (1,1), and the diagonal of chance. " + t.caption + "."
	i.text = append(i.text, "Each pair of rows was scored by a model that was trained without both rows, and the "+
		"rows are ranked by these pairs (a tournament). The dashed line is chance. "+
		"The area is the share of pairs of a positive and a negative row in the right order.")
	if len(d.Names) > 0 {
		text := "Features were selected anew without each pair."
		if len(d.Results) > 1 {
			text += " All rows chose λ and the number of features: the area is too high by what chance added to that " +
				"choice."
		}
		i.text = append(i.text, text)
	}
	if ci := r.CI95; ci.Defined {
		i.text = append(i.text, fmt.Sprintf("Its 95 %% interval is %s. The width is that of the interval of the "+
			"area over all held-out pairs, from random splits of the rows into halves. The coverage was measured "+
			"for that area, not for the area of the tournament.",
			fromTo(&report.Range{report.Number(ci.Lo), report.Number(ci.Hi)})))
	}
	i.text = append(i.text, readOff(r)...)
	if n := len(r.Points); n > mostPoints {
		i.left = fmt.Sprintf("The figure and the table have %d of %d points, evenly spaced in rank; cv --roc FILE "+
			"writes all.", mostPoints, n)
	}
	return i
}

// readOff are the sentences about the numbers read off the curve.
func readOff(r *report.ROC) (texts []string) {
	list := func(first string, n int, of func(k int) string) {
		for k := range n {
			if k > 0 {
				first += ","
			}
			first += " " + of(k)
		}
		if n > 0 {
			texts = append(texts, first+".")
		}
	}
	around := func(i *cv.Interval) string {
		if i == nil {
			return ""
		}
		return fmt.Sprintf(" (%s to %s)", percent(i.Lo), percent(i.Hi))
	}
	list("The sensitivity is", len(r.Sensitivities), func(k int) string {
		s := r.Sensitivities[k]
		return fmt.Sprintf("%s%s at specificity %g", percent(float64(s.Sensitivity)), around(s.CI95), float64(s.Specificity))
	})
	list("The specificity is", len(r.Specificities), func(k int) string {
		s := r.Specificities[k]
		return fmt.Sprintf("%s%s at sensitivity %g", percent(float64(s.Specificity)), around(s.CI95), float64(s.Sensitivity))
	})
	for _, p := range r.Partial {
		texts = append(texts, "The "+p.Text()+" (McClish: ½ is chance, 1 perfect).")
	}
	if len(r.Band) > 0 {
		texts = append(texts, "The band has the 95 % interval of the sensitivity at each specificity, not of all at once, "+
			"by the curves of random halves with every choice made again in each. It begins where two negative rows are "+
			"called: before, an extreme score decides.")
	}
	return texts
}

// precisionItem is the precision–recall curve of an estimate, nil if it has none.
func precisionItem(d *report.Estimate) *item {
	if d.ROC == nil || d.ROC.PrecisionRecall == nil || d.ROC.PrecisionRecall.PrecisionRecall == nil {
		return nil
	}
	r := d.ROC.PrecisionRecall
	if len(r.Points) == 0 {
		return nil
	}
	share := &[2]float64{0, 1}
	line, recall := figure.Line{}, 0.0
	t := table{caption: "Points of the precision–recall curve", head: []string{"score of at least", "recall", "precision"}}
	for _, k := range report.Spaced(len(r.Points), mostPoints) {
		p := r.Points[k]
		threshold, precision := figure.Short(p.Threshold), number(report.Number(p.Precision))
		t.rows = append(t.rows, []string{threshold, number(report.Number(p.Recall)), precision})
		line.X, line.Y = append(line.X, recall, p.Recall), append(line.Y, p.Precision, p.Precision)
		line.Says = append(line.Says, threshold+": "+precision, threshold+": "+precision)
		recall = p.Recall
	}
	i := &item{table: t}
	average := number(report.Number(r.AveragePrecision))
	i.Title = "The average precision is " + average
	i.Body = &figure.Plot{
		X:     figure.Axis{Label: "recall, the sensitivity", Include: []float64{0, 1}, Within: share},
		Y:     figure.Axis{Label: "precision", Include: []float64{0, 1}, Within: share},
		Rules: []figure.Rule{{Y: r.Prevalence, Name: "chance"}}, Lines: []figure.Line{line},
	}
	i.Desc = "The precision over the recall in steps, and the line of chance. " + t.caption + "."
	i.text = append(i.text, fmt.Sprintf("The ranking is that of the ROC curve. Rows with equal scores are called "+
		"together, "+
		"and nothing is interpolated: the average precision is the area below the steps, %s by chance.",
		number(report.Number(r.Prevalence))))
	if ci := r.CI95; ci != nil {
		i.text = append(i.text, fmt.Sprintf("Its 95 %% interval, by random halves, is %s.",
			fromTo(&report.Range{report.Number(ci.Lo), report.Number(ci.Hi)})))
	}
	if n := len(r.Points); n > mostPoints {
		i.left = fmt.Sprintf("The figure and the table have %d of %d points, evenly spaced in rank; cv --json has all.",
			mostPoints, n)
	}
	return i
}
