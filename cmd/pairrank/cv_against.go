package main

import (
	"fmt"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/internal/option"
	"pairrank/internal/report"
)

// ofBoth are the flags of cv, besides those that say what the rows are, that hold for the procedure of --against, too.
var ofBoth = map[string]bool{"method": true, "nested": true, "interval": true, "seed": true, "pairs-sample": true,
	"independent-rows": true}

// otherProcedure are the flags of the procedure of --against, nil without: those of its learner, and those of cv that
// say what the rows are, what is held out and what is drawn.
func (f *cvFlags) otherProcedure(cmd *cobra.Command, args []string) (*cvFlags, error) {
	if !f.changed("against") {
		return nil, nil
	}
	other, app, root := &cvFlags{}, &cli.App{}, &cobra.Command{Use: "pairrank"}
	again := &cobra.Command{Use: cmd.Use}
	root.AddCommand(again)
	app.Bind(again, other.targets)
	app.Define(again)
	words, err := shellWords(f.against)
	if err == nil {
		err = again.ParseFlags(cli.WithValues(words))
	}
	if err != nil {
		return nil, againstError(flagError(again, err))
	}
	if more := again.Flags().Args(); len(more) > 0 {
		return nil, againstError(cli.Usagef("%q is no option", more[0]))
	}
	var wrong error
	again.Flags().Visit(func(flag *pflag.Flag) {
		if o := option.Find("cv", flag.Name); wrong == nil && (o == nil || !o.OfProcedure()) {
			wrong = againstError(cli.Usagef("--%s is no option of the learner: give it to cv, for both procedures",
				flag.Name))
		}
	})
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		o := option.Find("cv", flag.Name)
		if wrong == nil && o != nil && !o.OfProcedure() && (o.Group == "Data" || ofBoth[o.Name]) {
			wrong = again.Flags().Set(flag.Name, flag.Value.String())
		}
	})
	if wrong != nil {
		return nil, wrong
	}
	if err = cli.CheckOptions(again, args); err == nil {
		err = other.begin(again, args)
	}
	return other, againstError(err)
}

// shellWords are the words of a text between blanks. Blanks within '…' or "…" are of the word, as in a shell.
func shellWords(text string) (words []string, err error) {
	var word []rune
	var quote rune
	begun := false
	for _, r := range text + " " {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case quote != 0 || !unicode.IsSpace(r):
			word, begun = append(word, r), true
		case begun:
			words, word, begun = append(words, string(word)), nil, false
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote %c has no end in %s", quote, text)
	}
	return words, nil
}

// againstError says that an error is about the procedure of --against.
func againstError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--against: %w", err)
}

// addAgainst estimates the other procedure on the same rows, holding out as the first did, and adds the differences to
// its document.
func (a *app) addAgainst(f *cvFlags, p *learning, e *pairrank.Estimated, d *report.Estimate) error {
	other := p.other
	other.problem = p.problem
	err := readBeside(other, beside{f.other.basisRows, a.readBasis}, beside{f.other.baseline, readBaseline})
	if err != nil {
		return err
	}
	o := &other.options
	o.Method = &e.Choice.Method
	if e.Nested != nil {
		o.Nested = &e.Nested.Outer
	}
	run := advice.Run{Data: cli.Shown(p.path), Method: "method"}
	o.Monitor = run.Monitor(a.App, true)
	estimated, err := cli.AwaitFor(a.Ctx, func() (*pairrank.Estimated, error) {
		return pairrank.Estimate(a.Ctx, other.problem, *o)
	})
	err = run.Error(err)
	if err != nil && a.Ctx.Err() == nil && e.Choice.Method.Kind == cv.LeavePairOut {
		return cli.WithHint(err, "--method kfold:10, and --nested=kfold:10, hold out what both procedures can")
	}
	if err != nil {
		return err
	}
	difference, nested, err := e.Against(estimated, 0)
	if err != nil {
		return err
	}
	about := report.About{Metric: o.Metric}
	d.AddAgainst(f.against, report.NewEstimate(estimated, f.other.learner, about), difference, nested)
	return nil
}
