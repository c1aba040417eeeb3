package data

// Query holds the rows of one query and where they come from. Readers of streams return one Query
// after another.
type Query struct {
	ID       string    // the name of the query
	X        Matrix    // m_q×n; n may differ between queries: missing features are 0
	Y        []float64 // m_q labels, or m_q×v of v outputs, or times where Censored is not nil
	Censored []bool    // rows that had no event until their time; nil where labels are no times
	Weights  []float64 // of the rows, as those of a Set; nil where each counts once
	Comments []string  // m_q texts after the '#'; nil when not kept
	Source   string    // the file or part of the data that it comes from; "" where that has no name
	Line     int       // the line of its first row there, from 1; 0 where there are no lines
}
