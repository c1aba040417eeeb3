package cli

import "io"

// bar has nothing to draw: WebAssembly has no terminal, as isTerminal finds, and
// mpb asks the system for one.
type bar struct{}

func newBar(io.Writer, *Meter) *bar { return &bar{} }

func (b *bar) remove() {}
