// Package rows makes rows in memory a source of the procedure: the data, the solver, the held-out error and the
// model. The entrance, package pairrank, documents the fields of its types.
//
// Files:
//   - problem.go, plan.go: the data and the options
//   - task.go: the prepared rows; features.go, offset.go, randomfeatures.go, width.go: their features
//   - learner.go: the interface of a learner; leastsquares.go, ranksvm.go, rankboost.go, greedy.go: the
//     learners, each with the outcome of its trainings; selection.go: the rounds of a selection of features
//   - forms.go: the interface of the form of a solution; leastforms.go: the forms of least squares
//   - solver.go, work.go, scales.go, iterative.go: the choice of a solver, and conjugate gradients
//   - space.go, kernelrows.go, lower.go: the rows under a kernel
//   - pairs.go, root.go: pairs of rows in place of labels, and what a source needs to leave units of them out
//   - source.go, holdout.go, folds.go, units.go: the source; outputs.go: its fit of several outputs
//   - train.go, estimate.go, learningcurve.go, streamed.go: the functions for other packages
//   - importance.go, importancework.go, without.go: leaving features out
//   - savedmodel.go: the model; doubts.go, repeats.go, notes.go, faults.go: notes and errors
package rows
