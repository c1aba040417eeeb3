package relation

import (
	"errors"
	"pairrank"

	"pairrank/internal/event"
	"pairrank/internal/fault"
)

// Monitor, Progress, Note and Error are those of rows.
type (
	Monitor  = pairrank.Monitor
	Progress = pairrank.Progress
	Note     = pairrank.Note
	Error    = pairrank.Error
)

// The kinds of Error.
const (
	Use       = fault.Use
	Data      = fault.Data
	Numerical = fault.Numerical
	Memory    = fault.Memory
)

// The codes of errors for which there is a specific remedy.
const (
	FaultAsymmetric   fault.Code = "relation-asymmetric"     // a similarity matrix: Options.Symmetrize
	FaultIndefinite   fault.Code = "relation-indefinite"     // a similarity matrix: Options.PSD
	FaultNotPSD       fault.Code = "relation-not-psd"        // a kernel matrix, found as it was factored
	FaultMemory       fault.Code = "relation-memory"         // kernel matrices do not fit: Primal
	FaultNotExact     fault.Code = "relation-not-exact"      // no shortcut: kfold
	FaultNoClosedForm fault.Code = "relation-no-closed-form" // CG learns it
	FaultOpenFolds    fault.Code = "relation-open-folds"     // folds have no closed form: leave-one-out is exact, CG trains each
	FaultMirrorFolds  fault.Code = "relation-mirror-folds"   // folds have no closed form: CG trains each
	FaultNumerical    fault.Code = "relation-numerical"      // larger λ, or smaller features
	FaultOverflow     fault.Code = "relation-overflow"       // of a score: smaller features
)

// The codes of notes.
const (
	NotePrimal      event.Code = "relation-primal"      // kernel matrices do not fit, so the features are trained on
	NoteRepaired    event.Code = "relation-repaired"    // a similarity matrix had negative eigenvalues
	NoteUnconverged event.Code = "relation-unconverged" // trainings ended at the limit of iterations
	NoteDrawn       event.Code = "relation-drawn"       // pairs that are left out were drawn, since all take a while
	NoteNoFolds     event.Code = "relation-no-folds"    // training folds at the chosen λ takes too long
	NotePooled      event.Code = "relation-pooled"      // scores of different trainings are compared, as asked for
	NoteConstant    event.Code = "relation-constant"    // a kernel does not distinguish some nodes
	NoteReversed    event.Code = "relation-reversed"    // edges are listed in one direction, and the other is known
	NoteOneSided    event.Code = "relation-one-sided"   // labels say twice what is held out once
)

var (
	errCartesian = errors.New("the cartesian kernel says nothing about new nodes: it is for the setting pairs")
	errMethod    = errors.New("edges are held out by lpo, loo or kfold:K, as the setting says")
)
