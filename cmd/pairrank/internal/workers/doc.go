// Package workers is what workers agree on who sum files into one directory, and nobody
// else tells them: which worker does which file, and which files are done.
//
// The directory holds
//
//	manifest.json    the options of the sums, and the files in their order
//	NAME.json        for every file that is done, what it held and which unit has its
//	                 sums; NAME is 16 digits of the SHA-256 of the file's name
//	UNIT.stats       the sums of one file; UNIT is the SHA-256 of the options, the name
//	                 and the content of the file
//
// Every file is written by rename, the unit before the record that names it, so that what
// has its name is whole, and a worker that is killed leaves a temporary file at most. Two
// workers that do the same file write the same bytes.
//
// A file is done when its record is there, the unit has the length that the record says,
// and size and time of the file are those of the record. Where only the time differs the
// file is hashed, not summed, again. A time is not kept where the file changed less than
// [recent] before it was read: it could change once more without another time.
package workers
