package cli

import (
	"fmt"
	"sync"
	"time"
)

// A task is told beforehand where the run takes longer than longWork, from at least firstWork of its progress. What is
// done before its first report is done once. The speed is that of the last reports, up to twice speedOver, as the parts
// of a task differ. Work that is over in shortRest is not told.
const (
	longWork  = 10 * time.Second
	firstWork = time.Second
	speedOver = 2 * time.Second
	shortRest = 2 * time.Second
)

// burst is the time within which folds that were trained together report. A report after a pause of firstWork waits
// this long for the others.
const burst = 50 * time.Millisecond

var afterBurst = func(do func()) { time.AfterFunc(burst, do) }

// A forecast that was wrong by wrongBy is corrected, in mostTold notes of a task at most, but not without a terminal.
const (
	wrongBy  = 1.5
	mostTold = 3
)

// forecast is what a Meter told of how long its work takes.
type forecast struct {
	without string        // how to leave the work out, "" for work that is not told beforehand
	before  time.Duration // how long the run took before the task

	mu         sync.Mutex
	from, next *progressed   // earlier reports; the speed is that since from
	last       time.Duration // what was told, 0 before
	told       int           // notes
}

// progressed is how much of the work is done after some time.
type progressed struct {
	share   float64
	elapsed time.Duration
}

// running is how long the tasks of the run have taken until now, from the beginning of the first.
func (a *App) running(now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.began.IsZero() {
		a.began = now
	}
	return now.Sub(a.began)
}

// Foretell asks for a note of how long the work takes, if the run then takes more than ten seconds, and without: how to
// leave it out. It is called before the first report; a report a second after that one has the note. A later report
// corrects it. Without a display of progress there is none.
func (m *Meter) Foretell(without string) { m.foretold.without = without }

// foretell tells how long all of the work takes, when a part of it took this long.
func (m *Meter) foretell(elapsed time.Duration) {
	f, share := &m.foretold, m.share()
	if f.without == "" || m.mode == "none" || share < 0 {
		return
	}
	whole, known := f.at(progressed{share, elapsed})
	if !known || m.mode == "once" && !m.app.once.CompareAndSwap(false, true) {
		return
	}
	about := fmt.Sprintf("%s takes about %s", m.task, whole.Round(time.Second))
	if f.before > firstWork {
		about += fmt.Sprintf(", the run %s", (f.before + whole).Round(time.Second))
	}
	m.app.Note("%s; %s", about, f.without)
}

// at returns how long the work takes by a report, if that is to be told.
func (f *forecast) at(now progressed) (whole time.Duration, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.from == nil || now.share < f.next.share { // there is more to do than was known
		f.from, f.next = &now, &now
		return 0, false
	}
	took, done := now.elapsed-f.from.elapsed, now.share-f.from.share
	if now.elapsed-f.next.elapsed >= speedOver && now.share > f.next.share {
		f.from, f.next = f.next, &now
	}
	if took < firstWork || done <= 0 {
		return 0, false
	}
	rest := time.Duration(float64(took) * (1 - now.share) / done)
	whole = now.elapsed + rest
	apart := float64(whole) / float64(f.last)
	switch {
	case f.before+whole <= longWork && f.told == 0, rest < shortRest, f.told == mostTold:
		return 0, false
	case f.told > 0 && apart < wrongBy && apart > 1/wrongBy:
		return 0, false
	}
	f.last = whole
	f.told++
	return whole, true
}
