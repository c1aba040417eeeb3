package experiment

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"pairrank/internal/realdata"
)

// DataFlag declares -data, the folder of the data sets; holds says what is looked for
// in it.
func DataFlag(dir *string, holds string) {
	flag.StringVar(dir, "data", realdata.Dir(), "`FOLDER` with "+holds)
}

// Main is the main function of an experiment: it reads the flags and runs the
// experiment, whose context ends when the program is interrupted. An error is
// printed after the name of the experiment, and the program ends with 1.
func Main(name string, run func(ctx context.Context) error) {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		stop()
		os.Exit(1)
	}
}
