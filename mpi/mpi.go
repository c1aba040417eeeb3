// Package mpi is the all-reduce of RankSVM over the processes that mpirun starts, through
// MPI_Allreduce: World is a ranksvm.AllReducer.
//
// Build it with the C compiler of an MPI library, which has its headers:
//
//	CC=mpicc go build ./...
//
// Any library with MPI-3 works; README.md lists the tested ones. MPI is initialised once in a
// process, and its calls may come from any thread, one at a time.
package mpi

/*
#include <mpi.h>
#include <stdlib.h>

static MPI_Comm pairrank_comm;

// pairrank_init initialises MPI, and makes a communicator of its own whose errors are returned.
static int pairrank_init(int *provided, int *rank, int *size) {
	int err = MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, provided);
	if (err != MPI_SUCCESS) return err;
	err = MPI_Comm_dup(MPI_COMM_WORLD, &pairrank_comm);
	if (err != MPI_SUCCESS) return err;
	err = MPI_Comm_set_errhandler(pairrank_comm, MPI_ERRORS_RETURN);
	if (err != MPI_SUCCESS) return err;
	err = MPI_Comm_rank(pairrank_comm, rank);
	if (err != MPI_SUCCESS) return err;
	return MPI_Comm_size(pairrank_comm, size);
}

static int pairrank_sum(double *v, int n) {
	return MPI_Allreduce(MPI_IN_PLACE, v, n, MPI_DOUBLE, MPI_SUM, pairrank_comm);
}

static int pairrank_serialized(void) { return MPI_THREAD_SERIALIZED; }

static int pairrank_abort(int code) { return MPI_Abort(MPI_COMM_WORLD, code); }

static int pairrank_string(int err, char *text, int *n) { return MPI_Error_string(err, text, n); }

static int pairrank_max_string(void) {
	return MPI_MAX_ERROR_STRING > MPI_MAX_LIBRARY_VERSION_STRING ?
		MPI_MAX_ERROR_STRING : MPI_MAX_LIBRARY_VERSION_STRING;
}
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"unsafe"
)

// World is this process among those of its job. It is safe for concurrent use; the processes of an
// all-reduce agree on the order of their sums.
type World struct {
	rank, size int

	mu     sync.Mutex // MPI asks for one call at a time
	closed bool
}

// Error is the error of an MPI call.
type Error struct {
	Call string // as MPI_Allreduce
	Code int
	Text string // the message of the library for the code
}

// Error returns the call and the message of the library.
func (e *Error) Error() string { return e.Call + ": " + e.Text }

// Init initialises MPI, once in a process, and returns its place in the job; without mpirun the job
// has one process. It is a collective call, as are Sum and Close. It returns an error where the
// library accepts calls from a single thread only: goroutines move between threads.
func Init() (*World, error) {
	var provided, rank, size C.int
	if err := check("MPI_Init_thread", C.pairrank_init(&provided, &rank, &size)); err != nil {
		return nil, err
	}
	if provided < C.pairrank_serialized() {
		return nil, fmt.Errorf("this MPI library has thread level %d, and calls from several threads need "+
			"MPI_THREAD_SERIALIZED, %d", provided, C.pairrank_serialized())
	}
	return &World{rank: int(rank), size: int(size)}, nil
}

// Rank is the number of this process, from 0.
func (w *World) Rank() int { return w.rank }

// Size is the number of processes of the job.
func (w *World) Size() int { return w.size }

// Sum replaces v by its sum over all processes, the same on all of them (MPI 3.1, section 5.9.6).
// Whether another run with as many processes gives the same bits depends on the library. Where a
// process has died, mpirun ends all others; a library that continues returns an *Error.
func (w *World) Sum(v []float64) error {
	if len(v) == 0 {
		return nil
	}
	if len(v) > math.MaxInt32 {
		return fmt.Errorf("MPI_Allreduce takes %d numbers at most, not %d", math.MaxInt32, len(v))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errors.New("the MPI job is closed")
	}
	return check("MPI_Allreduce", C.pairrank_sum((*C.double)(unsafe.Pointer(&v[0])), C.int(len(v))))
}

// Close ends MPI in this process once all processes have called it. A second call does nothing. MPI
// cannot be initialised again.
func (w *World) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	return check("MPI_Finalize", C.MPI_Finalize())
}

// Abort ends all processes of the job with an exit code, for errors that the other processes cannot
// know. It does not return where the library complies.
func (w *World) Abort(code int) error { return check("MPI_Abort", C.pairrank_abort(C.int(code))) }

// Library is the name and version of the MPI library; "" where it does not say.
func Library() string {
	text := make([]C.char, C.pairrank_max_string()+1)
	var n C.int
	if C.MPI_Get_library_version(&text[0], &n) != C.MPI_SUCCESS {
		return ""
	}
	line, _, _ := strings.Cut(C.GoStringN(&text[0], n), "\n")
	return strings.TrimRight(line, "\x00 ")
}

// check is the error of a code.
func check(call string, code C.int) error {
	if code == C.MPI_SUCCESS {
		return nil
	}
	text := make([]C.char, C.pairrank_max_string()+1)
	var n C.int
	e := &Error{Call: call, Code: int(code), Text: fmt.Sprintf("error %d", code)}
	if C.pairrank_string(code, &text[0], &n) == C.MPI_SUCCESS {
		e.Text = C.GoStringN(&text[0], n)
	}
	return e
}
