package experiment

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"reflect"
	"strings"
)

// BuildProgram builds the command pairrank of this repository into the file of that absolute path.
func BuildProgram(ctx context.Context, to string) error {
	root, err := Root(ctx)
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "go", "-C", root, "build", "-o", to, "./cmd/pairrank").CombinedOutput()
	if err != nil {
		return fmt.Errorf("building pairrank: %w: %s", err, out)
	}
	return nil
}

// module is the path of the module pairrank.
var module = strings.TrimSuffix(reflect.TypeFor[Record]().PkgPath(), "/evidence/papers/experiment")

// Root is the folder of the module pairrank, which the module of the working directory requires.
func Root(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("where the module %s is: %w: %s", module, err, out)
	}
	return string(bytes.TrimSpace(out)), nil
}
