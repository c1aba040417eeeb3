package data

// Note is a line of text that holds a comment and no row.
type Note struct {
	Row  int    // the note stands before this row; m after the last row
	Text string // without the '#'
}
