package table

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recipe is a file as a well-known program writes it, and what is read of it. The names are those of the program, the
// values of this project.
type recipe struct {
	name  string
	files map[string]string
	paths []string // in their order; the only file where there is none
	// of a table of scores; board reads whatever the columns say
	scores ScoreTableOptions
	board  ComparisonsOptions
	either bool
	want   string
	says   string // among the columns and readings
}

const (
	inspectLog = `{
  "version": 2, "status": "success",
  "eval": {"run_id": "r", "task": "sums", "model": "MODEL", "config": {"epochs": 2}},
  "plan": {"name": "plan", "steps": [{"solver": "generate"}]},
  "results": {"total_samples": 4, "scores": [{"name": "match", "metrics": {"accuracy": {"value": 0.5}}}]},
  "samples": [
    {"id": 1, "epoch": 1, "input": "1 + 1?", "target": "2", "messages": [{"role": "user"}],
      "scores": {"match": {"value": "C", "answer": "2"}}},
    {"id": 2, "epoch": 1, "input": "2 + \"2\"?", "target": "4", "scores": {"match": {"value": "I", "answer": "}"}}},
    {"id": 1, "epoch": 2, "input": "1 + 1?", "target": "2", "scores": {"match": {"value": "C", "answer": "2"}}},
    {"id": 2, "epoch": 2, "input": "2 + \"2\"?", "target": "4", "scores": {"match": {"value": "C", "answer": "4"}}}
  ]
}
`
	promptfooOutput = `{"evalId": "eval-x", "results": {"version": 3, "prompts": [{"provider": "p:a"}], "results": [
  {"promptIdx": 0, "testIdx": 0, "provider": {"id": "p:a", "label": ""}, "prompt": {"raw": "Say x", "label": "{{v}}"},
    "vars": {"v": "x"}, "success": true, "score": 1, "namedScores": {"tone": 0.25}},
  {"promptIdx": 0, "testIdx": 0, "provider": {"id": "p:b"}, "prompt": {"raw": "Say x"}, "vars": {"v": "x"},
    "success": false, "score": 0.5, "namedScores": {"tone": 0.5}},
  {"promptIdx": 0, "testIdx": 1, "provider": {"id": "p:a"}, "prompt": {"raw": "Say y"}, "vars": {"v": "y"},
    "success": true, "score": 0.75, "namedScores": {}},
  {"promptIdx": 0, "testIdx": 1, "provider": {"id": "p:b"}, "prompt": {"raw": "Say y"}, "vars": {"v": "y"},
    "success": true, "score": 1, "namedScores": {"tone": 1}}], "stats": {"successes": 3}},
  "config": {"providers": [{"id": "p:a"}], "tests": [{"vars": {"v": "x"}}]}}`
	harnessSamples = `{"doc_id": 0, "doc": {"question": "q"}, "target": "4", "arguments": {"gen_args_0": {"arg": "Q"}}, ` +
		`"resps": [["4"]], "filtered_resps": ["4"], "filter": "strict-match", "metrics": ["exact_match"], ` +
		`"doc_hash": "h", "exact_match": S0}
{"doc_id": 1, "doc": {"question": "r"}, "target": "5", "arguments": {}, "resps": [["6"]], "filtered_resps": ["6"], ` +
		`"filter": "strict-match", "metrics": ["exact_match"], "doc_hash": "i", "exact_match": 0.0}
`
	harnessFilters = harnessSamples +
		`{"doc_id": 1, "doc": {"question": "r"}, "target": "5", "arguments": {}, "resps": [["6"]], ` +
		`"filtered_resps": ["5"], "filter": "flexible-extract", "doc_hash": "i", "exact_match": 1.0}
`
)

var recipes = []recipe{
	{name: "arena", either: true, files: map[string]string{"arena.json": `[
  {"question_id": "q1", "model_a": "x", "model_b": "y", "winner": "model_a", "judge": "arena_user_1",
    "conversation_a": [{"content": "Hi, \"there\"]", "role": "user"}], "turn": 1, "anony": true, "language": "English"},
  {"question_id": "q2", "model_a": "y", "model_b": "z", "winner": "tie (bothbad)", "judge": "arena_user_2",
    "conversation_a": [{"content": "Hi", "role": "user"}], "turn": 1, "anony": true, "language": "English"}]`},
		want: "x-y 1:0:0 by arena_user_1; y-z 0:0:1 by arena_user_2"},
	{name: "a preference set of one-hot winners", either: true, files: map[string]string{"train.csv": "id,model_a," +
		"model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,winner_tie\r\n" +
		"1,x,y,\"[\"\"a, b\r\n\r\nc\"\"]\",\"[\"\"p\"\"]\",\"[\"\"q\"\"]\",1,0,0\r\n2,x,y,\"[]\",\"[]\",\"[]\",0,0,1\r\n" +
		"3,y,z,\"[]\",\"[]\",\"[]\",0,1,0\r\n"}, want: "x-y 1:0:1; y-z 0:1:0"},
	{name: "alpaca_eval", either: true, files: map[string]string{"annotations.json": `[{"instruction": "i",
  "output_1": "o", "generator_1": "x", "output_2": "p", "generator_2": "y", "annotator": "judge", "preference": 2},
 {"instruction": "j", "output_1": "o", "generator_1": "x", "output_2": "p", "generator_2": "y", "annotator": "judge",
  "preference": 1.5, "raw_completion": null},
 {"instruction": "k", "output_1": "o", "generator_1": "x", "output_2": "p", "generator_2": "y", "annotator": "judge",
  "preference": 1.0}]`}, want: "x-y 1:1:1 by judge", says: "a winner 1 is the left item, 2 the right one, 1.5 a tie"},
	{name: "MT-bench pairs", either: true,
		board: ComparisonsOptions{Winner: "g1_winner", Cluster: []string{"question_id"}},
		files: map[string]string{"pair.jsonl": `{"question_id": 81, "model_1": "x", "model_2": "y", ` +
			`"g1_winner": "model_2", "g2_winner": "tie", "judge": ["j", "pair-v2"], "g1_judgment": "[[B]]", ` +
			`"turn": 1, "tstamp": 1.5}` + "\n" +
			`{"question_id": 81, "model_1": "x", "model_2": "z", "g1_winner": "tie", "g2_winner": "model_1", ` +
			`"judge": ["j", "pair-v2"], "g1_judgment": "[[C]]", "turn": 1, "tstamp": 1.6}` + "\n"},
		want: `x-y 0:1:0 by ["j", "pair-v2"] of 81; x-z 0:0:1 by ["j", "pair-v2"] of 81`},
	{name: "MT-bench scores", scores: ScoreTableOptions{Item: "question_id,turn", Cluster: []string{"question_id"}},
		files: map[string]string{"single.jsonl": `{"question_id": 81, "model": "x", "judge": ["j", "single-v1"], ` +
			`"user_prompt": "u", "judgment": "Rating: [[7]]", "score": 7, "turn": 1, "tstamp": 1.5}` + "\n" +
			`{"question_id": 81, "model": "x", "judge": ["j", "single-v1-multi-turn"], "user_prompt": "u", "judgment": "", ` +
			`"score": 6.5, "turn": 2, "tstamp": 1.5}` + "\n" +
			`{"question_id": 81, "model": "y", "judge": ["j", "single-v1"], "user_prompt": "u", "judgment": "", ` +
			`"score": 9, "turn": 1, "tstamp": 1.5}` + "\n"},
		want: "x y: 81/1@0 [7 9]; 81/2@0 [6.5 NaN];"},
	{name: "lm-evaluation-harness", scores: ScoreTableOptions{SystemFromFile: true},
		files: map[string]string{"x/samples_sums.jsonl": strings.Replace(harnessSamples, "S0", "1.0", 1),
			"y/samples_sums.jsonl": strings.Replace(harnessSamples, "S0", "0.0", 1)},
		paths: []string{"small=x/samples_sums.jsonl", "large=y/samples_sums.jsonl"},
		want:  "small large: 0 [1 0]; 1 [0 0];"},
	{name: "lm-evaluation-harness with filters", scores: ScoreTableOptions{SystemFromFile: true, Item: "doc_id,filter",
		Cluster: []string{"doc_id"}},
		files: map[string]string{"x.jsonl": strings.Replace(harnessFilters, "S0", "1.0", 1)},
		paths: []string{"x.jsonl"},
		want:  "x: 0/strict-match@0 [1]; 1/strict-match@1 [0]; 1/flexible-extract@1 [1];"},
	{name: "inspect_ai", files: map[string]string{"a.json": strings.Replace(inspectLog, "MODEL", "lab/small", 1),
		"b.json": strings.Replace(inspectLog, "MODEL", "lab/large", 1)}, paths: []string{"a.json", "b.json"},
		want: "lab/small lab/large: 1 [1 1]; 2 [0.5 0.5]; 4 repeated 0.125", says: "a score C (correct) is 1"},
	{name: "inspect_ai, a scorer", scores: ScoreTableOptions{Rows: "samples", Score: "scores.match.value"},
		files: map[string]string{"a.json": inspectLog}, want: "MODEL: 1 [1]; 2 [0.5]; 2 repeated 0.125"},
	{name: "promptfoo", either: true, files: map[string]string{"output.json": promptfooOutput},
		want: "p:a p:b: 0 [1 0.5]; 1 [0.75 1];"},
	{name: "promptfoo, a score of several, by provider and prompt",
		scores: ScoreTableOptions{Score: "namedScores.tone", System: "provider.id,promptIdx"},
		files:  map[string]string{"output.json": promptfooOutput}, want: "p:a/0 p:b/0: 0 [0.25 0.5]; 1 [NaN 1]; 1 empty"},
	{name: "evaluate --json", scores: ScoreTableOptions{SystemFromFile: true, Score: "values.ndcg@10"},
		files: map[string]string{"bm25.json": `{"style":"default","metrics":{"ndcg@10":{"mean":0.5}},` +
			`"per_query":[{"query":"q1","values":{"ndcg@10":0.25,"ap":1}},{"query":"q2","values":{"ndcg@10":0.75,"ap":1}}]}`,
			"ours.json": `{"style":"default","metrics":{},"per_query":[{"query":"q1","values":{"ndcg@10":null,"ap":1}},` +
				`{"query":"q2","values":{"ndcg@10":1,"ap":1}}]}`},
		paths: []string{"bm25.json", "ours.json"}, want: "bm25 ours: q1 [0.25 NaN]; q2 [0.75 1]; 1 empty"},
	{name: "evaluate --json of one metric", scores: ScoreTableOptions{SystemFromFile: true},
		files: map[string]string{"ours.json": `{"per_query":[{"query":"q1","values":{"ap":1}},` +
			`{"query":"q2","values":{"ap":0}}]}`},
		want: "ours: q1 [1]; q2 [0];"},
}

func TestRecipes(t *testing.T) {
	for _, c := range recipes {
		t.Chdir(t.TempDir())
		for name, text := range c.files {
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if len(c.files) == 1 && c.paths == nil {
				c.paths = []string{name}
			}
		}
		got, says := "", []string(nil)
		var compared *Comparisons
		var scored *ScoreTable
		var err error
		if c.either {
			compared, scored, err = ReadBoard(c.paths[0], c.board, c.scores)
		} else {
			scored, err = ReadScoreTable(c.paths, c.scores)
		}
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
			continue
		case compared != nil:
			got, says = describeComparisons(compared), compared.Reading
		default:
			got, says = describeScores(scored), append(scored.Columns, scored.Reading...)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if !strings.Contains(strings.Join(says, "\n"), c.says) {
			t.Errorf("%s: says %q, want %s", c.name, says, c.says)
		}
	}
}
