// Package foreign reads model files of other learners: SVMrank and SVM-light, LIBLINEAR and
// RankLib. Read returns a model of this library that scores rows of the same features. A constant
// added to every score has no place in it; it changes no order and comes back as a note.
//
// The formats are those that the programs write: write_model of SVM-light (Joachims 1999),
// save_model of LIBLINEAR (Fan, Chang, Hsieh, Wang and Lin 2008), and Coordinate Ascent, Linear
// Regression and RankBoost of RankLib (the Lemur project). Package export writes them.
//
// Files are untrusted: for any file a reader returns a model or an error, in memory linear in the
// size of the text.
package foreign
