// Package rows is rows in memory as a source of the procedure: what there is to learn from, how it is solved, what is
// held out, and the model. The entrance, package pairrank, says what every field of its types means.
//
// Files: problem.go and plan.go what goes in; task.go the rows as they are learnt from, features.go, offset.go,
// randomfeatures.go and width.go their features; learner.go what is asked of a learner, leastsquares.go, ranksvm.go
// and rankboost.go the learners, each with what its trainings end in; forms.go what is asked of the form of a solution,
// leastforms.go the forms of least squares, solver.go, work.go, scales.go and iterative.go how one is chosen and
// solved; space.go, kernelrows.go and lower.go the rows under a kernel; source.go, holdout.go, folds.go and units.go
// the source, outputs.go its fit of several outputs; train.go, estimate.go, learningcurve.go, processes.go and
// streamed.go what is called from outside; importance.go, importancework.go and without.go features left out;
// savedmodel.go the model, doubts.go, notes.go and faults.go what is told.
package rows
