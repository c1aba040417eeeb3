package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/replace"
	"pairrank/model"
	"pairrank/stream"
)

// A model that was trained with --keep-moments has, as the fact "moments", the SHA-256 of
// the file with the sums it was trained from. That is MODEL.moments. When both are
// replaced the sums are written first, as MODEL.moments.DIGITS with the first digits of
// their SHA-256, then the model, and then the sums get their name. Wherever that is cut
// off, the model that is there has its sums beside it under one of the two names.

// momentsFact is the name of the fact.
const momentsFact = "moments"

// momentsFile is the file with the sums of a model. Those of a symbolic link are beside the
// model that it leads to.
func momentsFile(path string) string { return modelFile(path) + ".moments" }

// modelFile is the file that the name of a model leads to.
func modelFile(path string) string {
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path
	}
	return replace.Target(path)
}

// momentsMode are the permissions of the sums of a model: those of the sums that they replace, and nothing that the
// model does not give; 0 where there is no model yet.
func momentsMode(path string) fs.FileMode {
	m, err := os.Stat(path)
	if err != nil {
		return 0
	}
	mode := m.Mode().Perm()
	if sums, err := os.Stat(momentsFile(path)); err == nil {
		mode &= sums.Mode().Perm()
	}
	const least = 0o600 // the user reads and replaces them
	return mode | least
}

// lockModel waits until no other run reads a model and its sums, or replaces them, and
// keeps others out until release.
func lockModel(ctx context.Context, path string) (release func(), err error) {
	return replace.LockDirectory(ctx, filepath.Dir(modelFile(path)))
}

// newMomentsFile is where they are as long as the model may be an older one.
func newMomentsFile(path, sum string) string {
	const digits = 16
	return momentsFile(path) + "." + sum[:digits]
}

// keepQueriesName is the option that keeps the sums of single queries among those of a model or unit.
const keepQueriesName = "keep-query-sums"

// checkMoments refuses to keep moments beside a model that is no file.
func (f *trainFlags) checkMoments() error {
	if !f.keepMoments {
		return nil
	}
	if info, err := os.Stat(f.output); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return cli.Usagef("the sums are written beside the model, and %s is a device or a pipe: name a file", f.output)
	}
	return nil
}

// outputs are the files that a training from sums writes.
func (f *trainFlags) outputs() []string {
	all := append(f.pages.files(), f.output)
	if f.keepMoments {
		all = append(all, momentsFile(f.output))
	}
	return all
}

// encodedStatistics are statistics as they are written, and their SHA-256, which the model gets as a fact.
func encodedStatistics(s *stream.Statistics, m *model.Model) (b []byte, sum string, err error) {
	if b, err = s.AppendBinary(nil); err == nil {
		sum = sha256Hex(b)
		m.Info.Further = append(m.Info.Further, model.Fact{Name: momentsFact, Value: sum})
	}
	return b, sum, err
}

// writeWithStatistics writes a model and the statistics it was trained from, of encodedStatistics, unless what is
// there must not be replaced: may, which is nil or tells, is asked when no other run can do so.
func (a *app) writeWithStatistics(ctx context.Context, path string, m *model.Model, b []byte, sum string,
	may func() error) error {
	release, err := lockModel(ctx, path)
	if err != nil {
		return err
	}
	defer release()
	if may != nil {
		if err := may(); err != nil {
			return err
		}
	}
	fresh := newMomentsFile(path, sum)
	if err := a.writeBytes(ctx, fresh, momentsMode(path), b); err != nil {
		return err
	}
	if err := a.WriteUnder(ctx, path, m.Write); err != nil {
		return errors.Join(err, os.Remove(fresh))
	}
	if err := os.Rename(fresh, momentsFile(path)); err != nil {
		return a.DescribeWrite(momentsFile(path), err)
	}
	a.Replaced(momentsFile(path))
	removeOldStatistics(path)
	return nil
}

// writeBytes writes a file as it is, whatever its name ends in, with these permissions.
func (a *app) writeBytes(ctx context.Context, path string, mode fs.FileMode, b []byte) error {
	return a.DescribeWrite(path, replace.Within(path, mode, func(w io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, err := w.Write(b)
		return err
	}))
}

// removeOldStatistics removes the files that killed runs left behind, temporary ones too. Files that it cannot remove
// stay.
func removeOldStatistics(path string) {
	replace.RemoveLeftovers(momentsFile(path)) // of the test whether it can be written
	dir, name := filepath.Split(momentsFile(path))
	fresh := regexp.MustCompile(`^(\.?)(` + regexp.QuoteMeta(name) + `\.[0-9a-f]{16})(\.[0-9a-f]{8}\.tmp)?$`)
	entries, _ := os.ReadDir(cmp.Or(dir, "."))
	for _, e := range entries {
		switch of := fresh.FindStringSubmatch(e.Name()); {
		case of == nil:
		case of[1] == "" && of[3] == "": // a newMomentsFile
			_ = os.Remove(filepath.Join(dir, e.Name()))
		case of[1] != "" && of[3] != "":
			replace.RemoveLeftovers(filepath.Join(dir, of[2]))
		}
	}
}

// readStatistics reads the statistics that a model was trained from, which stand beside it.
func readStatistics(path string, m *model.Model) (*stream.Statistics, error) {
	want := momentsOf(m)
	if want == "" {
		return nil, cli.WithHint(cli.AsData(fmt.Errorf("%s does not know the sums it was trained from", path)),
			"train it with --keep-moments: stream train or stream merge")
	}
	name := momentsFile(path)
	b, err := os.ReadFile(name)
	if err != nil || sha256Hex(b) != want {
		fresh := newMomentsFile(path, want)
		switch c, newErr := os.ReadFile(fresh); {
		case newErr == nil && sha256Hex(c) == want:
			name, b, err = fresh, c, nil
		case err == nil:
			err = cli.WithHint(cli.AsData(fmt.Errorf("%s is not what %s was trained from, or was altered: its "+
				"SHA-256 is %s, and the model says %s", name, path, sha256Hex(b), want)),
				"put back the file that belongs to the model, or train again with --keep-moments")
		case errors.Is(err, fs.ErrNotExist):
			err = cli.WithHint(err, "update needs the file that --keep-moments wrote beside the model: put it back, "+
				"or train again")
		}
	}
	if err != nil {
		return nil, err
	}
	s := &stream.Statistics{}
	if err := s.UnmarshalBinary(b); err != nil {
		return nil, cli.AsData(fmt.Errorf("%s: %w", name, err))
	}
	return s, nil
}

// momentsOf is the SHA-256 of the sums of a model, "" where it has none.
func momentsOf(m *model.Model) string {
	for _, f := range m.Info.Further {
		if sum, err := hex.DecodeString(f.Value); f.Name == momentsFact && err == nil && len(sum) == sha256.Size {
			return f.Value
		}
	}
	return ""
}

func sha256Hex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
