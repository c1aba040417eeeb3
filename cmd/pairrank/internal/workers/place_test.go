package workers

import (
	"maps"
	"strings"
	"testing"
)

func TestFindPlace(t *testing.T) {
	three, four := 3, 4
	type env = map[string]string
	slurm := env{"SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_MAX": "9",
		"SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "4"}
	for _, c := range []struct {
		name   string
		given  Given
		env    env
		want   Place
		refuse string // a text of the error, where there is one
	}{
		{name: "alone", want: Place{0, 1, "alone"}},
		{name: "flags", given: Given{&three, &four}, want: Place{3, 4, "--index, --count"}},
		{name: "flags before all", given: Given{&three, &four},
			env: env{"JOB_COMPLETION_INDEX": "x", "BATCH_TASK_INDEX": "1"}, want: Place{3, 4, "--index, --count"}},
		{name: "kubernetes", given: Given{nil, &four}, env: env{"JOB_COMPLETION_INDEX": "0"},
			want: Place{0, 4, "JOB_COMPLETION_INDEX, --count"}},
		{name: "kubernetes by variables", env: env{"JOB_COMPLETION_INDEX": "2", countVariable: "5"},
			want: Place{2, 5, "JOB_COMPLETION_INDEX, PAIRRANK_COUNT"}},
		{name: "kubernetes without count", env: env{"JOB_COMPLETION_INDEX": "2"},
			refuse: "give --count or PAIRRANK_COUNT"},
		{name: "slurm", env: slurm, want: Place{2, 4, "SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT"}},
		{name: "slurm without step", env: with(slurm, "SLURM_ARRAY_TASK_STEP", "", "SLURM_ARRAY_TASK_ID", "4",
			"SLURM_ARRAY_TASK_MAX", "6"), want: Place{1, 4, "SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT"}},
		{name: "slurm, one task again", env: with(slurm, "SLURM_ARRAY_TASK_MIN", "7", "SLURM_ARRAY_TASK_MAX", "7",
			"SLURM_ARRAY_TASK_COUNT", "1"), want: Place{0, 1, "SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT"}},
		{name: "slurm with gaps", env: with(slurm, "SLURM_ARRAY_TASK_ID", "1", "SLURM_ARRAY_TASK_MIN", "1",
			"SLURM_ARRAY_TASK_MAX", "5", "SLURM_ARRAY_TASK_COUNT", "3", "SLURM_ARRAY_TASK_STEP", "1"),
			refuse: "the 3 tasks of the Slurm array go from 1 to 5 with gaps"},
		{name: "slurm between", env: with(slurm, "SLURM_ARRAY_TASK_ID", "6"), refuse: "place of task 6"},
		{name: "slurm beyond", env: with(slurm, "SLURM_ARRAY_TASK_ID", "11"), refuse: "place of task 11"},
		{name: "slurm without least", env: with(slurm, "SLURM_ARRAY_TASK_MIN", ""),
			refuse: "sets SLURM_ARRAY_TASK_ID, but not all of SLURM_ARRAY_TASK_MIN, "},
		{name: "slurm job that is no array", env: env{"SLURM_JOB_ID": "5"}, want: Place{0, 1, "alone"}},
		{name: "aws", env: env{"AWS_BATCH_JOB_ARRAY_INDEX": "9", "AWS_BATCH_JOB_ARRAY_SIZE": "10"},
			want: Place{9, 10, "AWS_BATCH_JOB_ARRAY_INDEX, AWS_BATCH_JOB_ARRAY_SIZE"}},
		{name: "google", env: env{"BATCH_TASK_INDEX": "1", "BATCH_TASK_COUNT": "2"},
			want: Place{1, 2, "BATCH_TASK_INDEX, BATCH_TASK_COUNT"}},
		{name: "cloud run", env: env{"CLOUD_RUN_TASK_INDEX": "1", "CLOUD_RUN_TASK_COUNT": "2"},
			want: Place{1, 2, "CLOUD_RUN_TASK_INDEX, CLOUD_RUN_TASK_COUNT"}},
		{name: "two that agree", env: env{"CLOUD_RUN_TASK_INDEX": "1", "CLOUD_RUN_TASK_COUNT": "2",
			"JOB_COMPLETION_INDEX": "1"}, want: Place{1, 2, "JOB_COMPLETION_INDEX, CLOUD_RUN_TASK_COUNT"}},
		{name: "two indices", env: env{"CLOUD_RUN_TASK_INDEX": "1", "CLOUD_RUN_TASK_COUNT": "2",
			"JOB_COMPLETION_INDEX": "0"}, refuse: "JOB_COMPLETION_INDEX is 0, but CLOUD_RUN_TASK_INDEX is 1: give both"},
		{name: "two counts", env: env{"BATCH_TASK_INDEX": "1", "BATCH_TASK_COUNT": "2", countVariable: "3"},
			refuse: "BATCH_TASK_COUNT is 2, but PAIRRANK_COUNT is 3"},
		{name: "flag against variable", given: Given{Count: &three},
			env:    env{"BATCH_TASK_INDEX": "1", "BATCH_TASK_COUNT": "2"},
			refuse: "--count is 3, but BATCH_TASK_COUNT is 2"},
		{name: "index against variable", given: Given{Index: &three},
			env:    env{"BATCH_TASK_INDEX": "1", "BATCH_TASK_COUNT": "4"},
			refuse: "--index is 3, but BATCH_TASK_INDEX is 1"},
		{name: "no workers", given: Given{Count: new(int)}, refuse: "--count is at least 1, not 0"},
		{name: "index alone", given: Given{Index: &three}, refuse: "--index is 3, but the number of workers is not known"},
		{name: "count alone", given: Given{Count: &three}, refuse: "give --index"},
		{name: "count alone in the environment", env: env{countVariable: "3"},
			refuse: "PAIRRANK_COUNT is 3, but the number of this worker is not known: give --index"},
		{name: "index too great", given: Given{&four, &four},
			refuse: "--index is from 0 to 3, one less than --count, not 4"},
		{name: "no number", env: env{"BATCH_TASK_INDEX": "one"}, refuse: `the variable BATCH_TASK_INDEX is "one"`},
		{name: "below zero", env: env{"BATCH_TASK_INDEX": "-1"}, refuse: "not a whole number"},
	} {
		got, err := FindPlace(c.given, func(name string) (string, bool) { v, ok := c.env[name]; return v, ok })
		switch {
		case c.refuse == "" && (err != nil || got != c.want):
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		case c.refuse != "" && (err == nil || !strings.Contains(err.Error(), c.refuse)):
			t.Errorf("%s: %+v, %v, want the error %q", c.name, got, err, c.refuse)
		}
	}
}

// with is the environment with other values, in pairs of name and value.
func with(env map[string]string, values ...string) map[string]string {
	env = maps.Clone(env)
	for k := 0; k < len(values); k += 2 {
		env[values[k]] = values[k+1]
	}
	return env
}

// Every file has one worker, however many there are.
func TestPlacesShareOut(t *testing.T) {
	for count := 1; count <= 7; count++ {
		for k := range 30 {
			takers := 0
			for index := range count {
				if (Place{Index: index, Count: count}).Takes(k) {
					takers++
				}
			}
			if takers != 1 {
				t.Errorf("file %d has %d of %d workers", k, takers, count)
			}
		}
	}
}
