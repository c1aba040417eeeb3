package metric

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestNamesRoundTrip(t *testing.T) {
	all := append([]Metric{MeanNDCG}, defaultMetrics...)
	for _, m := range all {
		for _, name := range []string{m.String(), strings.ToUpper(m.String()), TREC.Name(m), LETOR4.Name(m)} {
			if got, err := Parse(name); err != nil || got != m {
				t.Errorf("Parse(%q) = %v, %v; want %v", name, got, err, m)
			}
		}
	}
	for _, name := range Names() {
		name = strings.NewReplacer("@K", "@7", "@T", "@7.25").Replace(name)
		if m, err := Parse(name); err != nil || m.String() != name {
			t.Errorf("listed name %q: %v, %v", name, m, err)
		}
	}
	for s := range numStyles {
		if got, err := ParseStyle(s.String()); err != nil || got != s {
			t.Errorf("ParseStyle(%q) = %v, %v", s, got, err)
		}
		for _, m := range s.Metrics() {
			if err := s.check(m); err != nil {
				t.Errorf("the metrics of style %s: %v", s, err)
			}
		}
	}
	if (Metric{}) != Disagreement {
		t.Error("the zero metric is not disagreement")
	}
}

// No value is outside the range of its metric, and τ-b alone goes below 0.
func TestRange(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	negative := map[Metric]bool{}
	for range 300 {
		in := Input{}
		for range 1 + rng.IntN(6) {
			in.Labels = append(in.Labels, float64(rng.IntN(3)))
			in.Scores = append(in.Scores, float64(rng.IntN(4)))
			in.DocIDs = append(in.DocIDs, strconv.Itoa(len(in.Labels)))
		}
		for s := range numStyles {
			report, err := Evaluate(in, s.Metrics(), Options{Style: s})
			if err != nil {
				t.Fatal(err)
			}
			for j, v := range report.PerQuery[0].Values {
				m := report.Results[j].Metric
				negative[m] = negative[m] || v.Value < 0
				const rounding = 1e-15
				if least, most := m.Range(); v.Defined && (v.Value < least-rounding || v.Value > most+rounding) {
					t.Errorf("%s of style %s is %v, not from %v to %v", m, s, v.Value, least, most)
				}
			}
		}
	}
	for m, below := range negative {
		if least, _ := m.Range(); below != (least < 0) {
			t.Errorf("%s: below 0 %v, range from %v", m, below, least)
		}
	}
}

func TestAliases(t *testing.T) {
	for name, want := range map[string]Metric{
		"ndcg_cut_10": NDCGAt(10), "ndcg_cut.10": NDCGAt(10), "P_5": PrecisionAt(5), "P.5": PrecisionAt(5),
		"recall_5": RecallAt(5), "recall.5": RecallAt(5), "ERR@10": ERRAt(10), "recip_rank": MRR, "MAP": MAP,
		"NDCG@3": NDCGAt(3),
	} {
		if got, err := Parse(name); err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v; want %v", name, got, err, want)
		}
	}
	if got := TREC.Name(NDCGAt(10)) + " " + TREC.Name(PrecisionAt(5)) + " " + TREC.Name(MRR) + " " +
		TREC.Name(MAP); got != "ndcg_cut_10 P_5 recip_rank map" {
		t.Errorf("trec's names: %s", got)
	}
}

func TestNamesRefused(t *testing.T) {
	for name, want := range map[string]string{
		"":                 "the known ones are disagreement, ",
		"ngcd@10":          `did you mean "ndcg@10"?`,
		"taub":             `did you mean "tau-b"?`,
		"concordence":      `did you mean "concordance"?`,
		"banana":           "the known ones are ",
		"p":                "a cut-off is needed",
		"p_x":              "unknown metric",
		"ndcg@":            "is not a whole number",
		"ndcg@0":           "is not a whole number",
		"ndcg@-3":          "is not a whole number",
		"ndcg@1e3":         "is not a whole number",
		"ndcg@99999999999": "is not a whole number",
		"map@10":           "has no cut-off",
		"recall":           "a cut-off is needed, as in recall@5",
		"ndcg10":           `did you mean "ndcg@10"?`,
		"ndcg_10":          `did you mean "ndcg@10"?`,
		"precision@5":      `did you mean "p@5"?`,
		"precision":        `did you mean "p@10"?`,
		"kendall":          `did you mean "tau-b"?`,
		"roc_auc":          `did you mean "auc"?`,
		"time-auc":         "a cut-off is needed, as in time-auc@365",
		"c-index@0":        "is not a time above 0",
		"dynamic_auc@9":    `did you mean "time-auc@9"?`,
		"uno-c@inf":        "is not a time above 0",
		"c-index@x":        "is not a time above 0",
	} {
		if m, err := Parse(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v; want …%s…", name, m, err, want)
		}
	}
	for list, want := range map[string]string{"map,map": "twice", "map,,mrr": "unknown",
		"ndcg@10,ndcg_cut_10": "twice"} {
		if m, err := ParseList(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseList(%q) = %v, %v", list, m, err)
		}
	}
	for name, want := range map[string]string{"C-Index@365.0": "c-index@365", "uno-c@1e6": "uno-c@1000000",
		"time-auc@0.25": "time-auc@0.25", "uno-c@1e30": "uno-c@1e+30"} {
		if m, err := Parse(name); err != nil || m.String() != want {
			t.Errorf("Parse(%q) = %v, %v", name, m, err)
		}
	}
	if list, err := ParseList("map, ndcg@5"); err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := ParseStyle("letor5"); err == nil || !strings.Contains(err.Error(), "letor4") {
		t.Errorf("letor5: %v", err)
	}
}

func TestLosses(t *testing.T) {
	for _, m := range defaultMetrics {
		if want := strings.Contains(m.String(), "disagreement"); m.Loss() != want {
			t.Errorf("%s: Loss is %v", m, m.Loss())
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"ndcg@10", "p@5", "ndcg_cut_10", "P_5", "tau-b", "auc", "@", "p_", "ndcg@010"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		m, err := Parse(name)
		if err != nil {
			return
		}
		if again, err := Parse(m.String()); err != nil || again != m {
			t.Errorf("%q is %v, but %q is %v, %v", name, m, m.String(), again, err)
		}
	})
}
