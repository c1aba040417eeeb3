package data

import "slices"

// Schema says what the columns of a table are: by name, or by number from 1 where the table has no
// header. A model keeps it, so that the columns of other tables are found again by name.
type Schema struct {
	Label    string   `json:"label,omitempty"`    // "" where there are no labels
	Positive string   `json:"positive,omitempty"` // the text that is label 1; "" where labels are numbers
	Negative string   `json:"negative,omitempty"` // the other text, which is label 0
	Query    string   `json:"query,omitempty"`    // "" where no queries are named
	ID       string   `json:"id,omitempty"`       // the names of the rows; "" where they have none
	Group    string   `json:"group,omitempty"`    // rows that are left out together
	Fold     string   `json:"fold,omitempty"`     // the folds of cross-validation
	Factors  []Factor `json:"factors,omitempty"`  // columns of texts that are features
	Ignored  []string `json:"ignored,omitempty"`  // columns that are left out
	Filled   []Filled `json:"filled,omitempty"`   // features with missing values, in the order of the table
	Accepted []string `json:"accepted,omitempty"` // features that the user chose one by one, whatever they look like
	Commas   bool     `json:"commas,omitempty"`   // numbers had decimal commas
	Decimal  string   `json:"decimal,omitempty"`  // point or comma where the user said what points in numbers are
	Selected bool     `json:"-"`                  // the user chose the features, by names, ranges or patterns
}

// Factor is a column of texts that stands for one feature a level, named COLUMN=LEVEL: 1 where the
// text is the level, else 0. It may be the column of the names of the rows.
type Factor struct {
	Column string   `json:"column"`
	Levels []string `json:"levels"` // ascending
	// Open says that other texts have none of the features; else they are an error.
	Open bool `json:"open,omitempty"`
}

// Filled is a feature of which values were missing.
type Filled struct {
	Column string `json:"column"`
	Rows   int    `json:"rows"` // that lack a value
	By     string `json:"by"`   // zero, mean or min
}

// FeatureName is the name of the feature of a level.
func (f *Factor) FeatureName(level string) string { return f.Column + "=" + level }

// Factor returns the factor of a column, nil where it is none.
func (s *Schema) Factor(column string) *Factor {
	if k := slices.IndexFunc(s.Factors, func(f Factor) bool { return f.Column == column }); k >= 0 {
		return &s.Factors[k]
	}
	return nil
}
