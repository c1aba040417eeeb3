package model_test

import (
	"strings"
	"testing"

	"pairrank/model"
)

// endless never ends.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	clear(p)
	return len(p), nil
}

// A text that does not begin like a model is not read to its end, which may never come.
func TestReadEndless(t *testing.T) {
	source := &endless{}
	_, err := model.Read(source, "/dev/zero")
	if err == nil || !strings.Contains(err.Error(), "not a pairrank model") || source.read > 1<<16 {
		t.Errorf("%v after %d bytes", err, source.read)
	}
}
