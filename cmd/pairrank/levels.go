package main

import (
	"cmp"
	"errors"
	"fmt"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
)

// noLevel is the way out of a missing value of a feature that no row of the training lacked.
const noLevel = "only a feature with missing values in training has a level: fill this one in, or train with such " +
	"rows; in a table, --missing-in COLUMN=zero takes 0"

// giveLevels reports whether missing values may get a level. A leaderboard gives items scores of their own.
func (f *setFlags) giveLevels(missing data.Missing, o readOptions) bool {
	return f.verb != "leaderboard" &&
		(missing == data.MissingOwn || f.columns.MissingIn != nil || o.Substitutes.Levels() != nil)
}

// giveLevels gives missing values a level of their own, those of the training for rows of a model.
func giveLevels(path string, set *data.Set, o readOptions) error {
	var trained *data.Substitutes
	if o.Features > 0 {
		trained = cmp.Or(o.Substitutes, &data.Substitutes{})
	}
	var unfilled *data.UnfilledError
	switch err := set.GiveLevels(trained); {
	case errors.As(err, &unfilled):
		called := fmt.Sprintf("feature %d", unfilled.Feature+1)
		if set.Names != nil {
			called = fmt.Sprintf("column %q", set.Names[unfilled.Feature])
		}
		return cli.WithHint(cli.AsData(fmt.Errorf("%s: %s: %w", cli.Shown(path), called, err)), noLevel)
	case err != nil:
		return cli.AsData(fmt.Errorf("%s: %w", cli.Shown(path), err))
	}
	return nil
}
