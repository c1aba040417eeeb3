package plain

// Refused says what the target of an export cannot express.
type Refused struct {
	Target string // by its name
	What   string // of the model or the options it cannot hold
	Help   string // what to do instead, or ""
}

// Error is "TARGET cannot hold WHAT".
func (e *Refused) Error() string { return e.Target + " cannot hold " + e.What }

// Hint says what to do instead; it may be empty.
func (e *Refused) Hint() string { return e.Help }
