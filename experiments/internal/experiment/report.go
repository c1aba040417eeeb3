package experiment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// Section is a part of a page that a program with settings S makes.
type Section[S any] struct {
	Name string
	Make func(ctx context.Context, s S) (text string, err error)
}

// Names are those of the sections, in their order.
func Names[S any](sections []Section[S]) (names []string) {
	for _, s := range sections {
		names = append(names, s.Name)
	}
	return names
}

// Report makes the sections that only names, with commas, or all for "", and publishes
// each on the page as soon as it is there. A section whose data is not there is
// skipped. What becomes of each is told on standard error, in the name of program.
func Report[S any](ctx context.Context, program, page, only string, sections []Section[S], s S) error {
	chosen, err := Sections(only, Names(sections))
	if err != nil {
		return err
	}
	for _, section := range sections {
		if !slices.Contains(chosen, section.Name) {
			continue
		}
		began := time.Now()
		text, err := section.Make(ctx, s)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "%s: %s is skipped: %v\n", program, section.Name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", section.Name, err)
		}
		if err := Publish(page, section.Name, text); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %s took %.0f s\n", program, section.Name, time.Since(began).Seconds())
	}
	return nil
}
