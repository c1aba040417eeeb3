package relation

import (
	"errors"
	"pairrank"

	"pairrank/internal/event"
	"pairrank/internal/fault"
)

// Monitor, Progress, Note and Error are the types of package pairrank.
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

// The codes of errors that have a specific remedy.
const (
	FaultAsymmetric   fault.Code = "relation-asymmetric"     // similarity matrix: Options.Symmetrize
	FaultIndefinite   fault.Code = "relation-indefinite"     // similarity matrix: Options.PSD
	FaultNotPSD       fault.Code = "relation-not-psd"        // kernel matrix, found by factoring it
	FaultMemory       fault.Code = "relation-memory"         // kernel matrices do not fit: use Primal
	FaultNotExact     fault.Code = "relation-not-exact"      // no shortcut: use kfold
	FaultNoClosedForm fault.Code = "relation-no-closed-form" // use CG
	FaultOpenFolds    fault.Code = "relation-open-folds"     // folds have no closed form: use leave-one-out, or CG
	FaultMirrorFolds  fault.Code = "relation-mirror-folds"   // folds have no closed form: use CG for each fold
	FaultNumerical    fault.Code = "relation-numerical"      // use larger λ, or smaller features
	FaultOverflow     fault.Code = "relation-overflow"       // a score overflows: use smaller features
)

// The codes of notes.
const (
	NotePrimal      event.Code = "relation-primal"      // kernel matrices do not fit, so training is on the features
	NoteRepaired    event.Code = "relation-repaired"    // a similarity matrix had negative eigenvalues
	NoteUnconverged event.Code = "relation-unconverged" // trainings stopped at the limit of iterations
	NoteDrawn       event.Code = "relation-drawn"       // leave-pair-out sampled pairs, since all take long
	NoteNoFolds     event.Code = "relation-no-folds"    // training folds, or all of them, would take too long
	NotePooled      event.Code = "relation-pooled"      // scores of different trainings are compared, as requested
	NoteConstant    event.Code = "relation-constant"    // a kernel does not distinguish some nodes
	NoteReversed    event.Code = "relation-reversed"    // edges are listed in one direction; the other is known
	NoteOneSided    event.Code = "relation-one-sided"   // labels repeat what is held out
	// NoteSimilarities is of features that look like similarities.
	NoteSimilarities event.Code = "relation-similarities"
)

var (
	errCartesian = errors.New("the cartesian kernel says nothing about new nodes: it is for the setting pairs")
	errMethod    = errors.New("edges are held out by lpo, loo or kfold:K, as the setting says")
)
