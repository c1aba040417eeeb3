package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Problem is the answer to a failed request: a document of RFC 9457, of the type
// application/problem+json.
type Problem struct {
	Status  int          `json:"status"`
	Title   string       `json:"title"`            // of the status
	Code    string       `json:"code"`             // the kind of problem, for programs
	Detail  string       `json:"detail"`           // the reason
	Hint    string       `json:"hint,omitempty"`   // the remedy
	Errors  []FieldError `json:"errors,omitempty"` // where it is wrong
	Request string       `json:"request_id,omitempty"`

	retry int // seconds after which to try again, 0 for none
	close bool
	allow string
}

// FieldError is the fault of one part of the body.
type FieldError struct {
	Pointer string `json:"pointer"` // to the part (RFC 6901)
	Detail  string `json:"detail"`
}

// Error is the detail, with the place where there is one.
func (p *Problem) Error() string {
	if len(p.Errors) > 0 {
		return p.Errors[0].Pointer + ": " + p.Detail
	}
	return p.Detail
}

// problem is one of a status and a code.
func problem(status int, code, format string, args ...any) *Problem {
	return &Problem{Status: status, Title: http.StatusText(status), Code: code, Detail: fmt.Sprintf(format, args...)}
}

// malformed is a problem of a body that violates the description; unfit is one of a body that does
// not fit the model.
func malformed(format string, args ...any) *Problem {
	return problem(http.StatusBadRequest, "malformed", format, args...)
}

func unfit(code, format string, args ...any) *Problem {
	return problem(http.StatusUnprocessableEntity, code, format, args...)
}

// at says which part of the body is wrong: the steps to it.
func (p *Problem) at(steps ...any) *Problem {
	var b strings.Builder
	for _, step := range steps {
		b.WriteByte('/')
		switch s := step.(type) {
		case int:
			b.WriteString(strconv.Itoa(s))
		case string:
			b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(clip(s)))
		}
	}
	p.Errors = []FieldError{{b.String(), p.Detail}}
	return p
}

// hint adds the remedy.
func (p *Problem) hint(format string, args ...any) *Problem {
	p.Hint = fmt.Sprintf(format, args...)
	return p
}

// clip shortens a text of a request.
func clip(text string) string {
	const most = 80
	text = strings.ToValidUTF8(text, "\ufffd")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

// writeProblem answers with a problem.
func writeProblem(w http.ResponseWriter, p *Problem) {
	p.Request = w.Header().Get(requestID)
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // texts and numbers
	}
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Content-Length", strconv.Itoa(len(text)+1))
	h.Set("Cache-Control", "no-store")
	if p.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(p.retry))
	}
	if p.allow != "" {
		h.Set("Allow", p.allow)
	}
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="pairrank"`)
	}
	if p.close {
		h.Set("Connection", "close")
	}
	w.WriteHeader(p.Status)
	w.Write(append(text, '\n'))
}
