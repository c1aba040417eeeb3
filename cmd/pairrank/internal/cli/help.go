package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pairrank/internal/option"
)

// Columns of a help. A line is never wider than what reads well, however wide the
// terminal is; below the least width the terminal wraps.
const (
	defaultColumns = 80
	mostColumns    = 100
	leastColumns   = 40
	mostFlag       = 30 // of a flag and its kind; a longer one has a line of its own
)

// HelpInGroups makes the help of all verbs: wrapped at the width of the terminal, the
// kind of a value and its default shown in one way. The flags of a verb that has groups
// stand in them, those of others are one list.
func (a *App) HelpInGroups(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		a.Define(cmd)
		h := help{columns(cmd.OutOrStdout())}
		text := wrapText(strings.TrimSpace(cmd.Long), h.width) + "\n\n" + h.usage(cmd)
		// an error of standard output is told at the end of the run
		_, _ = io.WriteString(cmd.OutOrStdout(), text)
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		a.Define(cmd)
		h := help{columns(cmd.OutOrStderr())}
		_, err := io.WriteString(cmd.OutOrStderr(), h.usage(cmd))
		return err
	})
}

// columns is how wide a text on w may be: as the terminal, if it is one, or as the
// variable COLUMNS says.
func columns(w io.Writer) int {
	width := terminalColumns(w)
	if width <= 0 {
		width, _ = strconv.Atoi(os.Getenv("COLUMNS"))
	}
	if width <= 0 {
		width = defaultColumns
	}
	return min(mostColumns, max(leastColumns, width))
}

// terminalColumns is the width of the terminal that w leads to, 0 where it leads to none or the width
// is not known.
func terminalColumns(w io.Writer) (width int) {
	if out, is := w.(*StandardOutput); is {
		w = out.to
	}
	if f, is := w.(interface{ Fd() uintptr }); is {
		width, _, _ = term.GetSize(int(f.Fd()))
	}
	return width
}

// help writes helps of a width.
type help struct{ width int }

// usage is the help without the long text.
func (h help) usage(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		b.WriteString(h.form(cmd.UseLine()))
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString(h.form(cmd.CommandPath() + " [command]"))
	}
	if cmd.Example != "" {
		b.WriteString("\nExamples:\n")
		for line := range strings.Lines(cmd.Example) {
			b.WriteString(wrapCommand(strings.TrimRight(line, "\n"), h.width) + "\n")
		}
	}
	h.verbs(&b, cmd)
	h.flags(&b, cmd)
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\n" + wrapText(fmt.Sprintf("Use %q for more information about a command.",
			cmd.CommandPath()+" [command] --help"), h.width) + "\n")
	}
	return b.String()
}

// verbs writes the verbs of a command, below the titles of their groups; those of no group come last.
func (h help) verbs(b *strings.Builder, cmd *cobra.Command) {
	var all [][2]string
	below := map[string][][2]string{}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			row := [2]string{"  " + c.Name(), c.Short}
			all, below[c.GroupID] = append(all, row), append(below[c.GroupID], row)
		}
	}
	for _, g := range append(slices.Clone(cmd.Groups()), &cobra.Group{Title: "Verbs"}) {
		if rows := below[g.ID]; rows != nil {
			b.WriteString("\n" + g.Title + ":\n")
			h.table(b, rows, h.column(all))
		}
	}
}

// form is a line of the usage.
func (h help) form(text string) string {
	return fill(strings.Fields(text), "  ", "      ", "", h.width) + "\n"
}

// flags writes all flags of a verb, in its groups.
func (h help) flags(b *strings.Builder, cmd *cobra.Command) {
	sections, rare := flagSections(cmd, true)
	var all [][2]string
	for _, s := range sections {
		all = append(all, s.rows...)
	}
	column := h.column(all)
	for _, s := range sections {
		b.WriteString("\n" + s.title + ":\n")
		h.table(b, s.rows, column)
	}
	if rare != nil {
		text := fmt.Sprintf("Also --%s: see %s man %s", strings.Join(rare, ", --"), cmd.Root().Name(), VerbOf(cmd))
		b.WriteString("\n" + wrapText(text, h.width) + "\n")
	}
}

// section is flags below a heading: each with its kind, and what is said of it.
type section struct {
	title string
	rows  [][2]string
}

// flagSections are all flags of a verb, in the groups and the order of the table of options; flags that are not of the
// table come last. Where it is short, rare are the names of the flags that it leaves out.
func flagSections(cmd *cobra.Command, short bool) (sections []section, rare []string) {
	const plain = "Flags"
	show := func(title string, flag *pflag.Flag) {
		at := slices.IndexFunc(sections, func(s section) bool { return s.title == title })
		if at < 0 {
			at, sections = len(sections), append(sections, section{title: title})
		}
		sections[at].rows = append(sections[at].rows, [2]string{flagHead(flag), flagText(flag)})
	}
	ofTable := map[string]bool{}
	for _, o := range option.Of(VerbOf(cmd)) {
		ofTable[o.Name] = true
		switch flag := cmd.LocalFlags().Lookup(o.Name); {
		case flag.Hidden:
		case short && o.Rare && o.Group != "":
			rare = append(rare, o.Name)
		default:
			show(cmp.Or(o.Group, plain), flag)
		}
	}
	rest := plain
	if len(sections) > 0 && sections[0].title != plain {
		rest = "Other flags"
	}
	other := func(flag *pflag.Flag) {
		if !ofTable[flag.Name] && !flag.Hidden && flag.Deprecated == "" {
			show(rest, flag)
		}
	}
	cmd.LocalFlags().VisitAll(other)
	cmd.InheritedFlags().VisitAll(other)
	return sections, rare
}

// VerbOf is the verb of a command as the table of options calls it: "train", "relation train".
func VerbOf(cmd *cobra.Command) string {
	_, verb, _ := strings.Cut(cmd.CommandPath(), " ")
	return verb
}

// column is where the second column of a table begins.
func (h help) column(rows [][2]string) int {
	widest := 0
	for _, row := range rows {
		widest = max(widest, utf8.RuneCountInString(row[0]))
	}
	return min(widest, mostFlag, h.width*2/5) + 2
}

// table writes rows of two columns, of which the second is wrapped.
func (h help) table(b *strings.Builder, rows [][2]string, column int) {
	hang := strings.Repeat(" ", column)
	for _, row := range rows {
		lead := row[0]
		if n := utf8.RuneCountInString(lead); n+2 <= column {
			lead += strings.Repeat(" ", column-n)
		} else {
			b.WriteString(lead + "\n")
			lead = hang
		}
		b.WriteString(fill(strings.Fields(row[1]), lead, hang, "", h.width) + "\n")
	}
}

// flagHead is a flag and the kind of its value: -o, --output FILE.
func flagHead(flag *pflag.Flag) string {
	head := "      --" + flag.Name
	if flag.Shorthand != "" {
		head = "  -" + flag.Shorthand + ", --" + flag.Name
	}
	kind, _ := flagKind(flag)
	switch {
	case kind == "":
	case flag.NoOptDefVal != "":
		head += "[=" + kind + "]"
	default:
		head += " " + kind
	}
	return head
}

// flagKind is the kind of value that a flag takes, none for a switch, and what is said
// of it. A name in backquotes in the text is the kind; without one numbers are N (whole)
// and F, times TIME, and one of some names NAME. Texts must be told by backquotes.
func flagKind(flag *pflag.Flag) (kind, usage string) {
	kind, usage = pflag.UnquoteUsage(flag)
	switch kind {
	case "int", "uint":
		kind = "N"
	case "float":
		kind = "F"
	case "duration":
		kind = "TIME"
	}
	return kind, usage
}

// flagText is what is said of a flag, with its default last: in the words of the text,
// where it has (default: …), else as the value, where that says something.
func flagText(flag *pflag.Flag) string {
	_, usage := flagKind(flag)
	before, after, told := strings.Cut(usage, " (default: ")
	if told {
		value, rest, _ := strings.Cut(after, ")")
		return before + rest + " (default: " + value + ")"
	}
	switch flag.DefValue {
	case "", "0", "0s", "false", "[]":
		return usage
	}
	return usage + " (default: " + flag.DefValue + ")"
}
