package option

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A verb has an option of a name once, and all its texts are whole.
func TestOptionsOfAVerb(t *testing.T) {
	verbs := map[string]bool{}
	for o := range each {
		for _, verb := range strings.Fields(o.Verbs) {
			verbs[verb] = true
		}
		switch {
		case o.Help == "" || o.Group == "" || o.Verbs == "":
			t.Errorf("--%s of %q has no help, group or verb", o.Name, o.Verbs)
		case o.Names != nil && o.Default != "" && !slices.Contains(o.Names, o.Default):
			t.Errorf("--%s of %q: the default %q is not among %v", o.Name, o.Verbs, o.Default, o.Names)
		case (o.EdgeNames != nil || o.StreamNames != nil) && o.Names == nil:
			t.Errorf("--%s of %q has names for some data only", o.Name, o.Verbs)
		case o.EdgeNames != nil && o.Verbs != "train cv" && o.Verbs != "train cv stats":
			t.Errorf("--%s of %q has other names for edges, which only verbs of learners check", o.Name, o.Verbs)
		}
	}
	for verb := range verbs {
		all := []string{verb}
		all = append(all, "relation "+verb, "stream "+verb)
		for _, verb := range all {
			seen := map[string]bool{}
			for _, o := range Of(verb) {
				if seen[o.Name] {
					t.Errorf("%s has --%s twice", verb, o.Name)
				}
				seen[o.Name] = true
			}
		}
	}
}

// A name may stand for one option of rows and another one of edges: each verb has, finds and checks its own.
func TestOptionsByKind(t *testing.T) {
	defer func(all [][]Option) { table = all; found.Clear() }(table)
	table = append(slices.Clone(table), []Option{
		{Name: "probe", Verbs: "train", Data: Edges, EdgeLearners: "two-step", Group: "Data", Help: "of edges"},
		{Name: "probe", Verbs: "train", Data: Rows, Learners: "rls", Group: "Data", Help: "of rows"}})
	found.Clear()
	for verb, want := range map[string]string{"train": "of rows", "relation train": "of edges", "stream train": ""} {
		var got []string
		for _, o := range Of(verb) {
			if o.Name == "probe" {
				got = append(got, o.Help)
			}
		}
		if want == "" && got != nil || want != "" && !slices.Equal(got, []string{want}) || want != "" &&
			Find(verb, "probe").Help != want {
			t.Errorf("%s has %v, and finds %v", verb, got, Find(verb, "probe"))
		}
	}
	given := func(name string) (string, bool) { return "", name == "probe" }
	for _, c := range []struct {
		use  Use
		fine bool
	}{{Use{Data: Rows, Learner: "rls"}, true}, {Use{Data: Rows, Learner: "rankrls"}, false},
		{Use{Data: Edges, Learner: "two-step"}, true}, {Use{Data: Edges, Learner: "similarity"}, false},
		{Use{Data: Stream, Learner: "rls"}, false}} {
		c.use.Given = given
		if err := Check("train", c.use); (err == nil) != c.fine {
			t.Errorf("%+v: %v", c.use, err)
		}
	}
}

// What rows that are read once do not take has a reason, unless it is about edges.
func TestReasonsOfStreams(t *testing.T) {
	for o := range each {
		if !o.has("train") || o.Data == Edges {
			continue
		}
		if refused := !o.isFor(Stream) || o.StreamNames != nil; refused != (o.NotStream != "") {
			t.Errorf("--%s: refused %v for rows that are read once, with the reason %q", o.Name, refused, o.NotStream)
		}
	}
}

func TestRefusals(t *testing.T) {
	given := func(values map[string]string) func(string) (string, bool) {
		return func(name string) (string, bool) {
			value, is := values[name]
			return value, is
		}
	}
	for _, c := range []struct {
		use  Use
		give map[string]string
		want string
	}{
		{Use{Data: Rows, Learner: "rankrls", Solver: "auto"}, map[string]string{"kernel": "linear"}, ""},
		{Use{Data: Rows, Learner: "rankrls", Solver: "auto"}, map[string]string{"tolerance": "1e-3"},
			"--tolerance is for --solver cg, not auto"},
		{Use{Data: Rows, Learner: "ranksvm"}, map[string]string{"max-iterations": "3"}, ""},
		{Use{Data: Rows, Learner: "ranksvm"}, map[string]string{"cost": "unit"},
			"--cost is for --learner rankrls, not ranksvm"},
		{Use{Data: Rows, Learner: "rankboost"}, map[string]string{"kernel": "linear"},
			"--kernel is for --learner rankrls, rls and ranksvm, not rankboost"},
		{Use{Data: Rows, Learner: "rankrls"}, map[string]string{"setting": "cols"},
			"--setting is for edges between nodes"},
		{Use{Data: Rows, Learner: "two-step"}, map[string]string{"learner": "two-step"},
			"--learner two-step is for edges between nodes"},
		{Use{Data: Edges, Learner: "rankrls"}, map[string]string{"kernel": "linear"},
			"--kernel is not for edges between nodes"},
		{Use{Data: Edges, Learner: "rls"}, map[string]string{"learner": "rls"},
			"--learner rls is not for edges between nodes: known are rankrls, similarity, two-step"},
		{Use{Data: Rows, Learner: "two"}, map[string]string{"learner": "two"},
			"--learner two: unknown value: known are rankrls, rls, ranksvm, rankboost"},
		{Use{Data: Edges, Learner: "two"}, map[string]string{"learner": "two"},
			"--learner two: unknown value, did you mean two-step? known are rankrls, similarity, two-step"},
		{Use{Data: Stream, Learner: "rlss"}, map[string]string{"learner": "rlss"},
			"--learner rlss: unknown value, did you mean rls? known are rankrls, rls"},
		{Use{Data: Edges, Learner: "two-step"}, map[string]string{"loss": "ranking"},
			"--loss is for --learner rankrls, not two-step"},
		{Use{Data: Edges, Learner: "rankrls", Solver: "closed"}, map[string]string{"tolerance": "1e-3"},
			"--tolerance is for --solver auto, primal and cg, not closed"},
		{Use{Data: Stream, Learner: "rankrls"}, map[string]string{"warm-start": "m"},
			"--warm-start is not for rows that are read once: the training, by rankrls or rls, is exact from any " +
				"start"},
		{Use{Data: Stream, Learner: "rankrls"}, map[string]string{"normalize": "zscore"},
			"--normalize zscore is not for rows that are read once: it needs all rows before the first is summed; " +
				"known are none, query-minmax"},
	} {
		c.use.Given = given(c.give)
		err := Check("train", c.use)
		var refusal *Refusal
		switch {
		case c.want == "" && err == nil:
		case !errors.As(err, &refusal) || err.Error() != c.want:
			t.Errorf("%v with %v: %v, want %s", c.give, c.use.Learner, err, c.want)
		}
	}
	if err := NotFor("relation train", "kernel", ""); err == nil || NotFor("relation train", "no-such", "") != nil ||
		NotFor("train", "kernel", "") != nil {
		t.Errorf("relation train has --kernel: %v", err)
	}
}

// What is given together, or is missing, is refused by the rules of the table.
func TestTogether(t *testing.T) {
	for _, c := range []struct {
		verb, given string // name=value
		want        string
	}{
		{"leaderboard", "loss=logistic ties=drop bias-reduced=true", ""},
		{"leaderboard", "ties=drop", "--ties is for --loss logistic, not squared: in the squared loss a tie is an " +
			"outcome of 0"},
		{"leaderboard", "loss=logistic ties=davidson bias-reduced=true",
			"--bias-reduced is for --ties half and drop, not davidson"},
		{"leaderboard", "json=true output=b.csv", ""},
		{"leaderboard", "json=true output=-",
			"--json and --output - cannot be given together: both write to standard output"},
		{"relation rank", "rows=r max-line=9", ""},
		{"relation rank", "max-line=9", "--max-line needs --rows or --cols or --edges"},
		{"compare", "scores=s extra-features=ignore", "--extra-features needs --model"},
		{"relation train", "output=m early-stop=e rows=r", "--early-stop needs --lambda: it is for one value"},
		{"train", "lambda=1", "-o MODEL is missing"},
		{"relation train", "output=m", "--rows FILE is missing"},
		{"stream train", "output=m", ""},
		{"export", "", "--to is missing"},
		{"cv", "roc=-", "--roc cannot be -: standard output takes the report"},
		{"synth", "KIND=letor queries=3", ""},
		{"synth", "KIND=rcv1 queries=3", "--queries is for KIND letor, not rcv1"},
		{"stream update", "output=m zero-based=true NEW=f", ""},
		{"stream update", "output=m zero-based=true", "--zero-based needs NEW"},
	} {
		values := map[string]string{}
		for given := range strings.FieldsSeq(c.given) {
			name, value, _ := strings.Cut(given, "=")
			values[name] = value
		}
		err := CheckTogether(c.verb, func(name string) (string, bool) {
			if value, is := values[name]; is {
				return value, true
			}
			if o := Find(c.verb, name); o != nil {
				return o.Default, false
			}
			return "", false
		})
		if got := fmt.Sprint(err); got != c.want && (err != nil || c.want != "") {
			t.Errorf("%s %s: %s, want %s", c.verb, c.given, got, c.want)
		}
	}
}

func TestFieldsHaveFlags(t *testing.T) {
	for field, want := range map[string]string{"Tolerance": "tolerance", "Map": "kernel", "PSD": "psd-fix",
		"NoSuch": ""} {
		if got := FlagOf(field); got != want {
			t.Errorf("the flag of %s is %q, want %q", field, got, want)
		}
	}
}

// A Reader gets the default and the texts that the option takes, and its error is kept.
func TestReader(t *testing.T) {
	options := []Option{{Name: "list", Default: "1,2"}, {Name: "kind", Names: words("a b"), Default: "b"}, {Name: "at"}}
	var list []string
	var kind string
	var at *float64
	values := map[string]Value{}
	Bind(options, Targets{
		"list": Into(&list, func(text string) ([]string, error) {
			if text == "bad" {
				return nil, errors.New("--list is bad")
			}
			return strings.Split(text, ","), nil
		}),
		"kind": Into(&kind, func(text string) (string, error) { return strings.ToUpper(text), nil }),
		"at":   &at,
	}, func(o *Option, v Value, _ string) { values[o.Name] = v })
	if !slices.Equal(list, words("1 2")) || kind != "B" || at != nil || values["at"].String() != "" {
		t.Errorf("the defaults are %q, %q and %v", list, kind, at)
	}
	err := values["list"].Set("bad")
	if wrong := values["list"].(Checked).Wrong(); err != nil || wrong == nil || wrong.Error() != "--list is bad" ||
		len(list) != 2 {
		t.Errorf("a wrong list: %v, %v, and the list is %q", err, wrong, list)
	}
	if err := values["kind"].Set("c"); err == nil || kind != "B" {
		t.Errorf("an unknown name: %v, and the kind is %q", err, kind)
	}
	if err := values["kind"].Set("a"); err != nil || kind != "A" || values["kind"].String() != "a" {
		t.Errorf("a name: %v, and the kind is %q", err, kind)
	}
	if err := values["at"].Set("2^-1"); err != nil || at == nil || *at != 0.5 || values["at"].String() != "0.5" {
		t.Errorf("a number: %v, %v", err, at)
	}
}
