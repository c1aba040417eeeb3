package serve

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"strconv"

	"pairrank/internal/pasted"
)

//go:embed openapi.json page
var embedded embed.FS

// pagePolicy lets the page use only resources of this server.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' " +
	"data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// file is an embedded file.
type file struct {
	path, kind string
	text       []byte
	tag        string
}

// files are the embedded ones.
func files() []*file {
	list := []*file{
		{path: "/openapi.json", kind: "application/json"},
		{path: "/", kind: "text/html; charset=utf-8"},
		{path: "/page/style.css", kind: "text/css; charset=utf-8"},
		{path: "/page/script.js", kind: "text/javascript; charset=utf-8"},
		{path: "/page/table.js", kind: "text/javascript; charset=utf-8"},
		{path: "/page/letor.js", kind: "text/javascript; charset=utf-8", text: []byte(pasted.Letor)},
	}
	for _, f := range list {
		name := f.path[1:]
		if name == "" {
			name = "page/index.html"
		}
		if f.text == nil {
			var err error
			if f.text, err = embedded.ReadFile(name); err != nil {
				panic(err) // it is part of the program
			}
		}
		sum := sha256.Sum256(f.text)
		f.tag = `"` + hex.EncodeToString(sum[:8]) + `"`
	}
	return list
}

// ServeHTTP answers with the file.
func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.tag)
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Referrer-Policy", "no-referrer")
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(f.text)))
	if r.Method != http.MethodHead {
		w.Write(f.text)
	}
}
