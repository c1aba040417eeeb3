// Package comparison ranks named items from comparisons between them: wins of either side, and ties. A line may count
// many of them.
//
// A comparison c of a left item a and a right item b has the margin
//
//	f_c = s_a − s_b + x_cᵀγ
//
// with the scores s of the items, the columns x_c of the comparison (side, place, a difference of lengths) and their
// coefficients γ. Scores are s = Bβ in a basis B, N×k: the identity, features of the items, or features beside √τ times
// the identity. The objective J is a sum over single outcomes with weights w,
//
//	squared     J = Σ w (z − f)² + λ‖β‖²                z the magnitude of a win, its negative, or 0 for a tie
//	logistic    J = Σ w log(1 + exp(−f)) + λ‖β‖²         of the side that won; a tie is half of either, or left out
//	Davidson    J = −Σ w log P + λ‖β‖²                   P ∝ exp(f/2), exp(−f/2), ν for left, right, tie
//
// (Bradley and Terry 1952, Rank analysis of incomplete block designs; Davidson 1970, On extending the
// Bradley–Terry model to accommodate ties; Pahikkala et al. 2009, section 2.3 for the squared loss of
// a preference graph). λ = 0 is allowed. The scores of each component of the comparisons then have
// mean 0; with features these must have full rank.
//
// Rank makes a leaderboard in one call: it chooses λ and τ, and finds scores with intervals and sets of ranks, the
// error on comparisons that were left out, and what else is asked. The rest of the package is its parts.
//
// Files:
//   - rank.go, sure.go, shown.go: a ranking, its intervals and tests, and its items as they are shown
//   - problem.go: the comparisons, and what is refused
//   - options.go: the losses, and which board is large; fit.go: training
//   - holdout.go: what was not seen: lines, and sets of them
//   - distance.go: the step of the logistic loss beside training again
//   - forms.go: what needs the inverse of the system
//   - path.go: the squared loss with features, every λ from one factorisation
//   - predict.go, again.go, measure.go: units that are left out, and how well the rest predicts them
//   - variance.go: standard errors; ranks.go: sets of ranks; above.go: one item above another
//   - choose.go: λ and τ by what was not seen; saved.go: the model of scores
//   - largefolds.go: the folds of a large board; about.go: the variances of some items
//   - bootstrap.go: samples of boards
//   - scale.go: factors of annotators, for judges of unequal worth
//   - trusted.go: few votes of people and many of a judge; copies.go: votes that are there more than once
//   - cycles.go, triangles.go: what no ranking explains
//   - units.go: what is independent, and left out together; reference.go: what scores are relative to
//   - annotators.go: how annotators agree; weights.go: pairs that weigh the same
//   - components.go: which items are compared; fits.go: features and counts that fit
//
// The mathematics is in rooms below, which know no names of items: outcome has the losses, dense the fits with an
// inverse and large those without, incidence the graph of the comparisons, cycles their test, deviation the sets of
// ranks, design the next pairs, and draw random numbers.
package comparison
