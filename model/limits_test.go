package model

import (
	"crypto/sha256"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A file takes memory only for numbers that are in it, whatever sizes it claims.
func TestClaimedSizesTakeNoMemory(t *testing.T) {
	const head = "pairrank model 1\nlearner rls\nlambda 1\nrows 2\nqueries 1\npairs 1\n"
	for name, body := range map[string]string{
		"outputs of no support": head +
			"kernel gaussian:gamma=0.5\nfeatures 2\noutputs 2147483647\nsupport dense 0\ncoefficients\n",
		"outputs of no weights": head + "kernel linear\nfeatures 0\noutputs 2147483647\nweights\n",
		"support rows": head +
			"kernel gaussian:gamma=0.5\nfeatures 0\noutputs 1\nsupport dense 2147483647\ncoefficients\n",
		"features": head + "kernel linear\nfeatures 2147483647\noutputs 1\nweights\n",
		"names":    head + "kernel linear\nfeatures 2147483647\noutputs 1\nnames\nweights\n",
		"training rows": head +
			"kernel precomputed\nfeatures 2\noutputs 1\nsupport rows 2147483647\ncoefficients\n",
		"normalizer": head + "kernel linear\nfeatures 2147483647\noutputs 1\nnormalizer zscore\nweights\n",
		"random features": strings.Replace(head, "model 1", "model 4", 1) +
			"kernel fourier:gamma=1,features=2147483646,seed=1\nfeatures 2147483647\noutputs 1\nfrequencies " +
			strings.Repeat("0", 64) + "\nweights\n",
		"stumps": strings.Replace(head, "model 1", "model 2", 1) +
			"features 2\noutputs 1\nstumps 2147483647\n",
	} {
		text := fmt.Sprintf("%schecksum sha256 %x\n", body, sha256.Sum256([]byte(body)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if m, err := read([]byte(text)); err == nil {
			t.Errorf("%s: read %d outputs of %d features", name, m.Outputs(), m.Features())
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s: %d bytes for a file of %d", name, took, len(text))
		}
	}
}
