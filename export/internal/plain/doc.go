// Package plain is models of rows as the numbers that another program needs: weights with
// the normaliser beside them or folded into them, and steps over the raw features. What
// the target of an export cannot express is a Refused, with what to do instead.
package plain
