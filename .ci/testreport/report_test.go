package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const events = `
{"Action":"start","Package":"a"}
{"Action":"run","Package":"a","Test":"TestOne"}
{"Action":"output","Package":"a","Test":"TestOne","Output":"--- PASS\n"}
{"Action":"pass","Package":"a","Test":"TestOne","Elapsed":1}
{"Action":"pass","Package":"a","Test":"TestTwo/sub"}
{"Action":"pass","Package":"a","Test":"TestTwo"}
{"Action":"skip","Package":"a","Test":"TestThree"}
{"Action":"pass","Package":"a","Test":"FuzzA/seed#0"}
{"Action":"pass","Package":"a","Test":"FuzzA/seed#1"}
{"Action":"pass","Package":"a","Test":"FuzzA"}
{"Action":"pass","Package":"a","Elapsed":2.5}
{"Action":"skip","Package":"b","Elapsed":0}
`

const onRealData = `
{"Action":"output","Package":"f","Test":"TestHere","Output":"    f_test.go:7: real data: usps\n"}
{"Action":"output","Package":"f","Test":"TestHere","Output":"    f_test.go:8: real data: uci\n"}
{"Action":"pass","Package":"f","Test":"TestHere"}
{"Action":"output","Package":"f","Test":"TestSub/a","Output":"        f_test.go:9: real data: usps\n"}
{"Action":"pass","Package":"f","Test":"TestSub/a"}
{"Action":"pass","Package":"f","Test":"TestSub"}
{"Action":"output","Package":"f","Test":"TestGone","Output":"    f_test.go:10: real data: rcv1 is not in x\n"}
{"Action":"skip","Package":"f","Test":"TestGone"}
{"Action":"pass","Package":"f","Elapsed":1}
`

const failing = `
{"Action":"output","Package":"c","Test":"TestBad","Output":"want 1, got 2\n"}
{"Action":"fail","Package":"c","Test":"TestBad"}
{"Action":"fail","Package":"c","Elapsed":1}
{"ImportPath":"d","Action":"build-output","Output":"d.go:1:1: nonsense\n"}
{"ImportPath":"d","Action":"build-fail"}
{"Action":"fail","Package":"d","Elapsed":0,"FailedBuild":"d"}
{"Action":"output","Package":"e","Test":"TestCrash","Output":"panic: boo\n"}
{"Action":"run","Package":"e","Test":"TestCrash"}
{"Action":"fail","Package":"e","Elapsed":1}
`

func readAll(t *testing.T, text string) *report {
	t.Helper()
	r := newReport()
	if err := r.read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCountsTopLevelTestsOnly(t *testing.T) {
	if got, want := readAll(t, events).counts(), (counts{passed: 3, skipped: 1, seeds: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Tests that look for real data are counted by whether they found it.
func TestCountsTestsOnRealData(t *testing.T) {
	r := readAll(t, events+onRealData)
	c := r.counts()
	if c.withData != 2 || c.withoutData != 1 || c.passed != 5 || c.skipped != 2 {
		t.Errorf("%+v, want 2 that ran and 1 skipped among 5 and 2", c)
	}
	var b strings.Builder
	r.print(&b, c, nil, 0)
	if want := "2 tests ran on real data, 1 were skipped without it\n"; !strings.Contains(b.String(), want) {
		t.Errorf("no %q in\n%s", want, b.String())
	}
}

// A package that does not build, or crashes, is a failure although no test of
// it failed; so is one whose events stop.
func TestBrokenPackagesAreFailures(t *testing.T) {
	if got := readAll(t, events+failing).counts(); got.failed != 3 || got.passed != 3 {
		t.Errorf("%+v, want 3 passed and 3 failed", got)
	}
	if got := readAll(t, `{"Action":"start","Package":"a"}`).counts(); got.failed != 1 {
		t.Errorf("%+v for a run that was cut off, want 1 failed", got)
	}
}

func TestFollowShowsWhatFailed(t *testing.T) {
	var b strings.Builder
	ok, err := follow(&b, strings.NewReader(events+failing))
	if err != nil || ok {
		t.Fatalf("ok %v, error %v", ok, err)
	}
	for _, want := range []string{"want 1, got 2\n", "d.go:1:1: nonsense\n", "panic: boo\n", "pass     2.5 s  a\n",
		"skip     0.0 s  b\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not shown in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "--- PASS") {
		t.Errorf("the output of a test that passed is shown:\n%s", b.String())
	}
	if ok, err = follow(&b, strings.NewReader(events)); err != nil || !ok {
		t.Errorf("ok %v, error %v without a failure", ok, err)
	}
}

func TestSummaryEndsInTheCounts(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	profile := write("profile", "mode: set\na/x.go:1.1,2.2 3 0\na/x.go:1.1,2.2 3 1\na/y.go:1.1,2.2 1 0\n")
	for _, test := range []struct {
		events string
		steps  int
		exit   int
		ok     bool
		last   string
	}{
		{events, 0, 0, true, "3 passed, 0 failed, 1 skipped\n"},
		{events, 2, 0, false, "3 passed, 2 failed, 1 skipped\n"},
		{events, 0, 2, false, "3 passed, 1 failed, 1 skipped\n"},
		{events + failing, 0, 1, false, "3 passed, 3 failed, 1 skipped\n"},
	} {
		var b strings.Builder
		ok, err := summarise(&b, write("events", test.events), profile, test.steps, test.exit)
		if err != nil || ok != test.ok {
			t.Errorf("ok %v, error %v, want ok %v", ok, err, test.ok)
		}
		if !strings.HasSuffix(b.String(), "\n"+test.last) {
			t.Errorf("does not end in %q:\n%s", test.last, b.String())
		}
		if !strings.Contains(b.String(), "75.0% of statements") ||
			!strings.Contains(b.String(), "skip: a TestThree\n") {
			t.Errorf("no coverage or no skipped test:\n%s", b.String())
		}
	}
}

func TestRefusesWhatIsNoEvent(t *testing.T) {
	if err := newReport().read(strings.NewReader("FAIL\n")); err == nil {
		t.Error("no error")
	}
	if _, err := readCoverage(strings.NewReader("mode: set\nnonsense\n")); err == nil {
		t.Error("no error")
	}
}
