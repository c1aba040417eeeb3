// Package foreign reads the model files of other learners: SVMrank and SVM-light, LIBLINEAR
// and RankLib. What is read is a model of this library, which scores rows of the same
// features; what has no place in it, a constant that is added to every score, comes back as a
// note, since it changes no order.
//
// The formats are those that the programs write: write_model of SVM-light (Joachims 1999),
// save_model of LIBLINEAR (Fan, Chang, Hsieh, Wang and Lin 2008), and Coordinate Ascent,
// Linear Regression and RankBoost of RankLib (the Lemur project). Package export writes them.
//
// Files are untrusted: whatever is in one, a reader returns a model or an error, in memory
// that follows the size of the text.
package foreign
