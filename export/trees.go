package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/eval/metric"
	"pairrank/export/internal/plain"
	"pairrank/fault"
	"pairrank/model"
)

// stepped is a model as steps: stumps are, and curves become steps between the values of o.Data. The notes say how far
// the steps are from the curves.
func stepped(t Target, m *model.Model, o *Options) (*plain.Steps, []string, error) {
	if o.Normalizers {
		return nil, nil, &fault.RefusedError{Target: string(t), What: "steps with normalizers separate from them",
			Help: "leave the option out: steps stand at raw values"}
	}
	if err := plain.RefuseLevels(string(t), m); err != nil {
		return nil, nil, err
	}
	if _, stumps := m.Scorer.(*model.Stumps); stumps {
		s, err := plain.NewSteps(string(t), m)
		if err == nil && o.Data != nil {
			err = &fault.RefusedError{Target: string(t), What: "steps between the values of rows in the place of stumps",
				Help: "leave the rows (--data) out: stumps are steps"}
		}
		return s, nil, err
	}
	if o.Data == nil {
		return nil, nil, &fault.RefusedError{Target: string(t), What: "straight lines, only steps between the values of rows",
			Help: "give rows, such as those of the training: --data FILE"}
	}
	f, err := m.Score(o.Data)
	if err != nil {
		return nil, nil, err
	}
	s, err := plain.NewStaircase(string(t), m, o.Data.X)
	if err != nil {
		return nil, nil, err
	}
	steps := make([]float64, len(f))
	(&model.Stumps{Features: s.Features, Terms: s.Terms}).ScoreTo(steps, plain.Single(o.Data.X))
	report, err := metric.Evaluate(metric.Input{Labels: f, Scores: steps, Queries: o.Data.Queries},
		[]metric.Metric{metric.DisagreementError}, metric.Options{})
	if err != nil {
		return nil, nil, err
	}
	names, _ := plain.Names(s.Names, s.Features)
	notes := []string{fmt.Sprintf("each curve is at most %d steps between the values of %d rows; beyond them the "+
		"outermost go on; no curve is off by more than %.3g (%s), where scores span %.3g", plain.MostSteps, len(f),
		s.Worst, names[s.At], slices.Max(f)-slices.Min(f))}
	if lost := report.Results[0].Mean; lost.Defined {
		notes = append(notes, fmt.Sprintf("by the steps %.2g %% of the pairs of rows in queries are tied or change "+
			"places", 100*lost.Value))
	}
	return &s.Steps, notes, nil
}

// tree is the steps of a feature as a balanced tree: nodes side by side under their parent, the root first.
type tree struct {
	feature int
	missing float32 // what a missing value is
	nodes   []node
}

// node has the children left and left + 1, or is a leaf, whose left is 0. A value goes left that is at most the
// threshold, in single precision.
type node struct {
	lo, hi              int // of the thresholds
	depth, parent, left int
	threshold, value    float32
}

// newTrees makes a tree for each feature that has steps. Leaves are at least 0: search engines rank documents with a
// total below 0 behind those that they did not score. It returns a *fault.RefusedError where no feature has steps, and
// for values beyond single precision.
func newTrees(t Target, s *plain.Steps) (trees []tree, err error) {
	terms := slices.Clone(s.Terms)
	slices.SortStableFunc(terms, func(a, b model.Stump) int {
		return cmp.Or(cmp.Compare(a.Feature, b.Feature), cmp.Compare(a.Threshold, b.Threshold))
	})
	for lo, hi := 0, 0; lo < len(terms); lo = hi {
		j := terms[lo].Feature
		for hi = lo; hi < len(terms) && terms[hi].Feature == j; hi++ {
		}
		thresholds, levels := ladder(terms[lo:hi])
		if len(thresholds) == 0 {
			continue
		}
		one := tree{feature: j, nodes: balanced(thresholds, levels)}
		if v := s.Missing; v != nil && v[j] == v[j] {
			one.missing = float32(v[j])
		}
		for _, n := range one.nodes {
			if math.IsInf(float64(n.value), 0) {
				return nil, &fault.RefusedError{Target: string(t),
					What: fmt.Sprintf("steps of feature %d beyond single precision", j+1), Help: "scale the labels"}
			}
		}
		trees = append(trees, one)
	}
	if len(trees) == 0 {
		return nil, &fault.RefusedError{Target: string(t), What: "a model without steps, which scores all rows alike",
			Help: "train for more rounds, or with another λ"}
	}
	return trees, nil
}

// ladder is the thresholds of one feature in single precision, rounded down: a value of single precision is above the
// rounded one where it is above the threshold. Level k is the sum of the weights of the first k, less the least.
func ladder(terms []model.Stump) (thresholds []float32, levels []float64) {
	sum := 0.0
	levels = []float64{0}
	for _, t := range terms {
		at := float32(t.Threshold)
		if float64(at) > t.Threshold {
			at = math.Nextafter32(at, float32(math.Inf(-1)))
		}
		if at >= math.MaxFloat32 || at < -math.MaxFloat32 { // no value is above it, or all are
			continue
		}
		if len(thresholds) == 0 || at != thresholds[len(thresholds)-1] {
			thresholds, levels = append(thresholds, at), append(levels, 0)
		}
		sum += t.Weight
		levels[len(levels)-1] = sum
	}
	least := slices.Min(levels)
	for k := range levels {
		levels[k] -= least
	}
	return thresholds, levels
}

// balanced is the tree of thresholds, which has as many levels and one more.
func balanced(thresholds []float32, levels []float64) []node {
	nodes := []node{{hi: len(thresholds), parent: -1}}
	for at := 0; at < len(nodes); at++ {
		n := &nodes[at]
		if n.lo == n.hi {
			n.value = float32(levels[n.lo])
			continue
		}
		mid := (n.lo + n.hi) / 2
		n.threshold, n.left = thresholds[mid], len(nodes)
		left, right := node{lo: n.lo, hi: mid, depth: n.depth + 1, parent: at},
			node{lo: mid + 1, hi: n.hi, depth: n.depth + 1, parent: at}
		nodes = append(nodes, left, right)
	}
	return nodes
}

// below is the threshold t of x < t, which holds where x ≤ n.threshold.
func (n *node) below() json.Number { return narrow(math.Nextafter32(n.threshold, math.MaxFloat32)) }

// narrow is a number of single precision as JSON that no reader takes for a whole number.
func narrow(v float32) json.Number { return json.Number(strconv.FormatFloat(float64(v), 'e', -1, 32)) }

// toward is the child that a missing value goes to.
func (t *tree) toward(n *node) int {
	if t.missing > n.threshold {
		return n.left + 1
	}
	return n.left
}

// xgboost writes a model file of XGBoost, which version 1.7 and later read (XGBoost, Introduction to Model IO; the
// schema doc/model.schema). x < split_condition goes left. A missing value is what it was in training, or 0.
func xgboost(w io.Writer, m *model.Model, o *Options) ([]string, error) {
	s, notes, err := stepped(XGBoost, m, o)
	if err != nil {
		return nil, err
	}
	trees, err := newTrees(XGBoost, s)
	if err != nil {
		return nil, err
	}
	names := s.Names
	if plain.CheckNames("", names) != nil || strings.ContainsAny(strings.Join(names, ""), "[]<") {
		names = nil
		notes = append(notes, "XGBoost takes no name with [, ] or <, none that is empty and none twice: the features "+
			"are without names, in column order")
	}
	var list []object
	info := make([]int, len(trees))
	for k := range trees {
		list = append(list, trees[k].xgboost(k, s.Features))
	}
	text := strconv.Itoa
	booster := object{{"name", "gbtree"}, {"model", object{
		{"gbtree_model_param", object{{"num_parallel_tree", "1"}, {"num_trees", text(len(trees))},
			{"size_leaf_vector", "0"}}},
		{"tree_info", info}, {"trees", list}}}}
	learner := object{{"attributes", object{}}, {"feature_names", append([]string{}, names...)},
		{"feature_types", []string{}}, {"gradient_booster", booster},
		{"learner_model_param", object{{"base_score", "0E0"}, {"boost_from_average", "0"}, {"num_class", "0"},
			{"num_feature", text(s.Features)}, {"num_target", "1"}}},
		{"objective", object{{"name", "rank:pairwise"},
			{"lambda_rank_param", object{{"fix_list_weight", "0"}, {"num_pairsample", "1"}}}}}}
	notes = append(append(notes, plain.MissingNote(m)...), singleNote)
	return notes, json.NewEncoder(w).Encode(object{{"learner", learner}, {"version", []int{1, 7, 4}}})
}

// xgboost is the tree as XGBoost has it: a list of each property over the nodes. Every leaf counts as one row.
func (t *tree) xgboost(id, features int) object {
	const none = math.MaxInt32 // the parent of the root
	size := len(t.nodes)
	left, right, parents, indices := make([]int, size), make([]int, size), make([]int, size), make([]int, size)
	defaults, zeros := make([]int, size), make([]int, size)
	conditions, nothing, rows := make([]json.Number, size), make([]json.Number, size), make([]json.Number, size)
	for k := range t.nodes {
		n := &t.nodes[k]
		nothing[k], rows[k] = narrow(0), narrow(float32(n.hi-n.lo+1))
		if parents[k] = n.parent; k == 0 {
			parents[k] = none
		}
		if left[k], right[k], conditions[k] = -1, -1, narrow(n.value); n.left == 0 {
			continue
		}
		left[k], right[k], conditions[k], indices[k] = n.left, n.left+1, n.below(), t.feature
		if t.toward(n) == n.left {
			defaults[k] = 1
		}
	}
	empty := []int{}
	return object{{"base_weights", nothing}, {"categories", empty}, {"categories_nodes", empty},
		{"categories_segments", empty}, {"categories_sizes", empty}, {"default_left", defaults}, {"id", id},
		{"left_children", left}, {"loss_changes", nothing}, {"parents", parents}, {"right_children", right},
		{"split_conditions", conditions}, {"split_indices", indices}, {"split_type", zeros}, {"sum_hessian", rows},
		{"tree_param", object{{"num_deleted", "0"}, {"num_feature", strconv.Itoa(features)},
			{"num_nodes", strconv.Itoa(size)}, {"size_leaf_vector", "0"}}}}
}

// namedTrees is what the trees of a search engine and the notes on it begin with: the names of the features.
func namedTrees(t Target, m *model.Model, o *Options) (names []string, trees []tree, notes []string, err error) {
	s, notes, err := stepped(t, m, o)
	if err != nil {
		return nil, nil, nil, err
	}
	names, made := plain.Names(s.Names, s.Features)
	if err := plain.CheckNames(string(t), names); err != nil {
		return nil, nil, nil, err
	}
	trees, err = newTrees(t, s)
	return names, trees, append(append(notes, plain.NameNote(made, len(names))...), singleNote), err
}

// elasticTrees are the trees of XGBoost's dump (XGBoostJsonParser of the plugin, which wants all these keys): x <
// split_condition goes to yes.
func elasticTrees(w io.Writer, m *model.Model, o *Options) ([]string, error) {
	names, trees, notes, err := namedTrees(ElasticLTR, m, o)
	if err != nil {
		return nil, err
	}
	var list []object
	for k := range trees {
		list = append(list, trees[k].elastic(0, names))
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	return notes, writeElastic(w, o, object{{"type", "model/xgboost+json"}, {"definition", string(text)}})
}

func (t *tree) elastic(at int, names []string) object {
	n := &t.nodes[at]
	if n.left == 0 {
		return object{{"nodeid", at}, {"leaf", narrow(n.value)}}
	}
	return object{{"nodeid", at}, {"depth", n.depth}, {"split", names[t.feature]}, {"split_condition", n.below()},
		{"yes", n.left}, {"no", n.left + 1}, {"missing", t.toward(n)},
		{"children", []object{t.elastic(n.left, names), t.elastic(n.left+1, names)}}}
}

// solrTrees are a MultipleAdditiveTreesModel: x ≤ threshold goes left.
func solrTrees(w io.Writer, m *model.Model, o *Options) ([]string, error) {
	names, trees, notes, err := namedTrees(Solr, m, o)
	if err != nil {
		return nil, err
	}
	var list, features []object
	for _, name := range names {
		features = append(features, object{{"name", name}})
	}
	for k := range trees {
		list = append(list, object{{"weight", "1"}, {"root", trees[k].solr(0, names)}})
	}
	return notes, writeSolr(w, o, "MultipleAdditiveTreesModel", features, object{{"trees", list}})
}

func (t *tree) solr(at int, names []string) object {
	n := &t.nodes[at]
	if n.left == 0 {
		return object{{"value", string(narrow(n.value))}}
	}
	return object{{"feature", names[t.feature]}, {"threshold", string(narrow(slackened(n.threshold)))},
		{"left", t.solr(n.left, names)}, {"right", t.solr(n.left+1, names)}}
}

// slackened is the largest number that is at most v when Solr has added its slack to it. It is v again, but the number
// before it where the slack moves v past a power of two, and near 0 less than 2.4e-13 below it: there numbers are
// closer than those around the slack.
func slackened(v float32) float32 {
	const slack = float32(1e-6) // NODE_SPLIT_SLACK
	up, down := float32(math.Inf(1)), float32(math.Inf(-1))
	t := v - slack
	for t+slack > v {
		t = math.Nextafter32(t, down)
	}
	for math.Nextafter32(t, up)+slack <= v {
		t = math.Nextafter32(t, up)
	}
	return t
}
