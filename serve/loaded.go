package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/model"
	"pairrank/relation/pairmodel"
)

// loaded is a model as one read of its files gave it. It is only read after it is made.
type loaded struct {
	rows  *model.Model     // a model of rows, or nil
	pairs *pairmodel.Model // a model of pairs, or nil
	nodes *nodes           // of a model of pairs

	given   int               // features of a row of a request
	called  []string          // their names, or nil
	places  map[string]int    // of the features by name, nil where they have none
	filled  *data.Substitutes // the treatment of missing values in training
	factors map[string]levels // columns of texts in training
	columns columns           // of the table of the training that are no features
	sum     string            // SHA-256 of the text of the model
	version string            // its first digits
	at      time.Time
	golden  *goldenFacts
	limits  limits
	ranges  *ranges // nil where the model does not have them
	names   []byte  // as /v1/models/NAME has them
}

// limits bound requests and fill in what they leave open.
type limits struct {
	rows    int
	cells   int // numbers of a matrix
	ignore  bool
	missing data.Missing
	reshape bool // a reload may change what requests rely on
}

// load reads a model and all that belongs to it, and holds it to the requests that the one
// before it takes, where there is one, and to its golden scores.
func load(src Source, lim limits, before *loaded) (*loaded, error) {
	l := &loaded{limits: lim, at: time.Now()}
	if err := l.read(src.File); err != nil {
		return nil, err
	}
	l.version = l.sum[:12]
	if l.rows != nil {
		l.ranges, l.filled = rangesOf(l.rows), l.rows.Info.Substitutes()
		l.given, l.called = l.filled.Given(l.rows.Features(), l.rows.Names)
	}
	if l.called != nil && !l.rows.Precomputed() {
		var err error
		if l.places, err = placesOf(l.called, src.File); err != nil {
			return nil, err
		}
		schema := l.rows.Info.Schema()
		l.factors, l.columns = factorsOf(schema, l.places), columnsOf(schema, l.places)
	}
	if before != nil && !lim.reshape {
		if err := l.fits(before); err != nil {
			return nil, fmt.Errorf("%s: %w", src.File, err)
		}
	}
	if err := l.takeNodes(src); err != nil {
		return nil, err
	}
	l.names = l.namesText()
	path, err := goldenFile(src)
	if err != nil || path == "" {
		return l, err
	}
	l.golden, err = l.verify(path)
	return l, err
}

// takeNodes reads the nodes of a model of pairs, and refuses files of them for another model.
func (l *loaded) takeNodes(src Source) (err error) {
	switch {
	case l.pairs != nil:
		l.nodes, err = readNodes(l.pairs, src, l.limits.ignore)
	case src.Rows != "" || src.Cols != "":
		err = fmt.Errorf("%s scores rows, not pairs: it takes no files of nodes", src.File)
	}
	return err
}

// placesOf is where the features of a file stand, by name.
func placesOf(names []string, path string) (map[string]int, error) {
	places := make(map[string]int, len(names))
	for j, name := range names {
		if _, twice := places[name]; twice {
			return nil, fmt.Errorf("%s has two features called %q, which requests could not distinguish", path,
				clip(name))
		}
		places[name] = j
	}
	return places, nil
}

// levels are the places of the features of a factor's texts; open says that other texts have none.
type levels struct {
	at   map[string]int
	open bool
}

// factorsOf are the columns of texts in training, whose features stand at some places.
func factorsOf(s *data.Schema, places map[string]int) map[string]levels {
	factors := map[string]levels{}
	if s == nil {
		return factors
	}
	for _, f := range s.Factors {
		of := levels{map[string]int{}, f.Open}
		for _, level := range f.Levels {
			if k, is := places[f.FeatureName(level)]; is {
				of.at[level] = k
			}
		}
		if _, feature := places[f.Column]; !feature {
			factors[f.Column] = of
		}
	}
	return factors
}

// read reads the file of the model, whose format has a checksum.
func (l *loaded) read(path string) error {
	file, err := open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	f, err := codec.NewReader(file, path)
	if err != nil {
		return err
	}
	defer f.Close()
	hash := sha256.New()
	if l.rows, l.pairs, err = pairmodel.ReadEither(io.TeeReader(f, hash), path); err != nil {
		return err
	}
	l.sum = hex.EncodeToString(hash.Sum(nil))
	if l.rows == nil {
		return nil
	}
	// Find out at the start, not at a request, whether the parts fit.
	if _, err := l.rows.Score(&data.Set{X: data.NewDense(0, l.rows.Features(), nil)}); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// goldenFile is the file of golden scores, "" where there is none.
func goldenFile(src Source) (string, error) {
	if src.Golden != "" {
		return src.Golden, nil
	}
	beside := src.File + goldenEnding
	if _, err := os.Stat(beside); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		return "", err
	}
	return beside, nil
}

// stamps are the sizes and times of files, known without reading them.
type stamps []fs.FileInfo

// stampsOf looks at the files of a source.
func stampsOf(src Source) stamps {
	return stampsOfFiles(src.File, src.Rows, src.Cols, src.Golden, src.File+goldenEnding)
}

func stampsOfFiles(paths ...string) stamps {
	var s stamps
	for _, path := range paths {
		var info fs.FileInfo
		if path != "" {
			info, _ = os.Stat(path) // no file is a stamp, too
		}
		s = append(s, info)
	}
	return s
}

// same reports whether nothing has changed.
func (s stamps) same(t stamps) bool {
	if len(s) != len(t) {
		return false
	}
	for k, a := range s {
		b := t[k]
		if (a == nil) != (b == nil) {
			return false
		}
		if a != nil && !(os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())) {
			return false
		}
	}
	return true
}
