// Package plain reduces models of rows to the numbers that another program needs: weights with the
// normaliser separate or folded into them, and steps over the raw features. A model that a
// target cannot express is a fault.RefusedError, which says what to do instead.
package plain
