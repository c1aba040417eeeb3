// Package launch starts a test binary as the processes of an MPI job.
package launch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"pairrank/mpi"
)

// launchers are the programs that start the jobs of a library, by a word that both the
// library and the program say of themselves. Debian has the first names where several
// libraries are installed.
var launchers = []struct {
	word  string
	names []string
	flags []string
}{
	{"Open MPI", []string{"mpirun.openmpi", "mpirun"}, []string{"--oversubscribe", "--bind-to", "none"}},
	{"MPICH", []string{"mpiexec.mpich", "mpiexec.hydra", "mpirun"}, nil},
}

// Command is a job of size processes of the test binary itself, with an environment variable
// that makes its TestMain be a process. It skips the test where there is no program that
// starts jobs of the library which the binary is linked with.
func Command(t *testing.T, size int, variable string, args ...string) *exec.Cmd {
	t.Helper()
	library := mpi.Library()
	for _, l := range launchers {
		if !strings.Contains(library, l.word) {
			continue
		}
		for _, name := range l.names {
			if version(t, name, l.word) {
				all := append([]string{"-np", strconv.Itoa(size)}, l.flags...)
				return command(t.Context(), name, append(append(all, os.Args[0]), args...), variable)
			}
		}
	}
	t.Skipf("there is no mpirun of %s here, so that nothing is tested over processes", library)
	return nil
}

// version reports whether a program is the launcher of a library.
func version(t *testing.T, name, word string) bool {
	if _, err := exec.LookPath(name); err != nil {
		return false
	}
	out, err := exec.CommandContext(t.Context(), name, "--version").CombinedOutput()
	return err == nil && (strings.Contains(string(out), word) || word == "MPICH" &&
		strings.Contains(string(out), "HYDRA"))
}

func command(ctx context.Context, name string, args []string, variable string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), variable+"=1", "GOMAXPROCS=1",
		// Open MPI refuses to run as root, as a machine for tests may, without both
		"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	return cmd
}

// Run runs a job to its end and returns its output.
func Run(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w\n%s", cmd, err, out))
	}
	return string(out)
}
