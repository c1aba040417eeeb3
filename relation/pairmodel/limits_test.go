package pairmodel

import (
	"crypto/sha256"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Sizes that a file claims take memory only when the data follow.
func TestClaimedSizesTakeNoMemory(t *testing.T) {
	const head = "pairrank model 1\nlearner rls\nlambda 1\nrows 2\nqueries 1\npairs 1\n"
	for name, body := range map[string]string{
		"nodes": strings.Replace(head, "model 1", "model 3", 1) +
			"pairwise kronecker\ndomains 1\nrow-kernel linear\nrow-nodes 2147483647\n",
		"edges": strings.Replace(head, "model 1", "model 3", 1) +
			"pairwise kronecker\ndomains 1\nrow-kernel linear\nrow-features 1\nrow-nodes 1\n\"a\"\n" +
			"row-support dense\n1\ncoefficients sparse 2147483647\n",
		"pair weights": strings.Replace(head, "model 1", "model 3", 1) +
			"pairwise kronecker\ndomains 2\nrow-kernel linear\nrow-features 2147483647\n" +
			"col-kernel linear\ncol-features 2147483647\nweights\n",
	} {
		text := fmt.Sprintf("%schecksum sha256 %x\n", body, sha256.Sum256([]byte(body)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if m, err := read([]byte(text)); err == nil {
			t.Errorf("%s: read a model of %s", name, m.Kernel)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s: %d bytes for a file of %d", name, took, len(text))
		}
	}
}
