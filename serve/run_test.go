package serve

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pairrank/data"
	"pairrank/model"
)

func linearOf(w ...float64) *model.Linear { return &model.Linear{Weights: data.NewDense(1, len(w), w)} }

// running is a server on a free port; stop ends it.
func running(t *testing.T, s *Server) (url string, stop func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, l) }()
	return "http://" + l.Addr().String(), func() error {
		cancel()
		return <-ended
	}
}

// inWork waits until another request is in progress.
func inWork(s *Server) {
	for !strings.Contains(string(send(s, "GET", "/metrics", "").text), "\npairrank_http_requests_in_flight 2\n") {
		time.Sleep(time.Millisecond)
	}
}

// A request in progress is answered when the server ends; later connections are refused.
func TestRunDrains(t *testing.T) {
	s := made(t, Options{Models: []Source{ones(t, t.TempDir(), 1)}})
	url, stop := running(t, s)
	body, client := io.Pipe()
	answered := make(chan reply, 1)
	go func() {
		r, err := http.Post(url+"/v1/models/m/score", "application/json", body)
		if err != nil {
			answered <- reply{text: []byte(err.Error())}
			return
		}
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		answered <- reply{r.StatusCode, r.Header, text}
	}()
	io.WriteString(client, oneRow[:5])
	inWork(s)
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	for !s.draining.Load() {
		time.Sleep(time.Millisecond)
	}
	io.WriteString(client, oneRow[5:])
	client.Close()
	var got scored
	(<-answered).into(t, 200, &got)
	if err := <-stopped; err != nil || got.Scores[0] != 3 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := http.Get(url + "/healthz"); err == nil {
		t.Error("the server answers after its end")
	}
	http.DefaultClient.CloseIdleConnections()
	var now state
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/readyz", nil))
	reply{w.Code, w.Header(), w.Body.Bytes()}.into(t, 503, &now)
	if now.Status != "draining" {
		t.Errorf("%+v", now)
	}
}

// A request that does not end is cut off when the time to drain is over.
func TestRunCutsOff(t *testing.T) {
	s := made(t, Options{Models: []Source{ones(t, t.TempDir(), 1)}, Drain: time.Millisecond})
	url, stop := running(t, s)
	body, client := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		r, err := http.Post(url+"/v1/models/m/score", "application/json", body)
		if err == nil {
			r.Body.Close()
		}
		ended <- err
	}()
	io.WriteString(client, "{")
	inWork(s)
	if err := stop(); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("error %v", err)
	}
	client.Close()
	<-ended
	http.DefaultClient.CloseIdleConnections()
}

// A client that sends its body too slowly gets an error.
func TestSlowBody(t *testing.T) {
	s := made(t, Options{Models: []Source{ones(t, t.TempDir(), 1)}, ReadTimeout: 50 * time.Millisecond})
	url, stop := running(t, s)
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "POST /v1/models/m/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
	text, _ := io.ReadAll(c)
	if !bytes.Contains(text, []byte("408 Request Timeout")) || !bytes.Contains(text, []byte("slow-body")) {
		t.Errorf("answered %s", text)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// Files that change are found by looking at them.
func TestPoll(t *testing.T) {
	dir := t.TempDir()
	s := made(t, Options{Models: []Source{ones(t, dir, 1)}, Poll: time.Millisecond})
	_, stop := running(t, s)
	ones(t, dir, 2)
	for s.models["m"].reloads.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := stop(); err != nil || scoreOf(t, s) != 6 {
		t.Error(err)
	}
}

// A token removed from the file is refused after the next poll.
func TestPollReadsTokens(t *testing.T) {
	dir := t.TempDir()
	o := Options{Models: []Source{ones(t, dir, 1)}, Poll: time.Millisecond,
		TokenFile: write(t, dir+"/token", "first-token-of-two\n")}
	s := made(t, o)
	_, stop := running(t, s)
	const old, fresh = "Bearer first-token-of-two", "Bearer second-token-of-two-that-is-longer"
	send(s, "GET", "/v1/models", "", "Authorization", old).into(t, 200, &modelList{})
	write(t, o.TokenFile, "second-token-of-two-that-is-longer\n")
	for send(s, "GET", "/v1/models", "", "Authorization", fresh).status != 200 {
		time.Sleep(time.Millisecond)
	}
	send(s, "GET", "/v1/models", "", "Authorization", old).problem(t, 401, "token")
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// Without a token nobody can read the content of a file that is no model.
func TestReadyTellsReasonsToTokens(t *testing.T) {
	dir := t.TempDir()
	src := ones(t, dir, 1)
	s := made(t, Options{Models: []Source{src}, TokenFile: write(t, dir+"/token", "first-token-of-two\n")})
	write(t, src.File, "something else\n")
	if s.Reload() == nil {
		t.Fatal("no model is reloaded")
	}
	var now state
	send(s, "GET", "/readyz", "").into(t, 200, &now)
	if f := now.Models[0].Failure; f == nil || f.At.IsZero() || f.Error != "shown only with a token" {
		t.Errorf("without a token the failure is %+v", f)
	}
	send(s, "GET", "/readyz", "", "Authorization", "Bearer first-token-of-two").into(t, 200, &now)
	if f := now.Models[0].Failure; f == nil || !strings.Contains(f.Error, "something else") {
		t.Errorf("with a token the failure is %+v", f)
	}
}

// certificate writes a certificate for 127.0.0.1 with its key.
func certificate(t *testing.T, dir string) (certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pool = x509.NewCertPool()
	certText := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	pool.AppendCertsFromPEM(certText)
	return write(t, dir+"/cert.pem", string(certText)),
		write(t, dir+"/key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))), pool
}

// TLS and tokens, which a reload reads again; a wrong file leaves those that are there.
func TestTLSAndTokens(t *testing.T) {
	dir := t.TempDir()
	o := Options{Models: []Source{ones(t, dir, 1)}}
	var pool *x509.CertPool
	o.CertFile, o.KeyFile, pool = certificate(t, dir)
	o.TokenFile = write(t, dir+"/token", "first-token-of-two\nsecond-token-of-two\n")
	s := made(t, o)
	url, stop := running(t, s)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	client := &http.Client{Transport: transport}
	url = strings.Replace(url, "http://", "https://", 1)
	status := func(path, header string) int {
		r, err := http.NewRequest("GET", url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if header != "" {
			r.Header.Set("Authorization", header)
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.ProtoMajor != 2 {
			t.Errorf("answered by %s", answer.Proto)
		}
		return answer.StatusCode
	}
	check := func(path, header string, want int) {
		t.Helper()
		if got := status(path, header); got != want {
			t.Errorf("%s with %q: %d, want %d", path, header, got, want)
		}
	}
	for _, path := range []string{"/v1/models", "/metrics"} {
		check(path, "", 401)
		check(path, "Bearer first-token-of-tw", 401)
		check(path, "Basic first-token-of-two", 401)
		check(path, "Bearer first-token-of-two", 200)
		check(path, "bearer second-token-of-two", 200)
	}
	for _, path := range []string{"/", "/healthz", "/readyz", "/openapi.json", "/page/script.js"} {
		check(path, "", 200)
	}
	write(t, o.TokenFile, "third-token-that-is-new")
	if err := s.Reload(); err != nil {
		t.Error(err)
	}
	check("/v1/models", "Bearer first-token-of-two", 401)
	check("/v1/models", "Bearer third-token-that-is-new", 200)
	os.Remove(o.TokenFile)
	write(t, o.CertFile, "no certificate")
	if err := s.Reload(); err == nil {
		t.Error("a server without its token file is reloaded")
	}
	check("/v1/models", "Bearer third-token-that-is-new", 200)
	check("/v1/models", "", 401)
	transport.CloseIdleConnections()
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// Requests beyond the limits are refused with 429 or 503, and their room is released.
func TestAdmission(t *testing.T) {
	s := made(t, Options{Models: []Source{ones(t, t.TempDir(), 1)}, MaxConcurrent: 1, MaxQueue: 1,
		QueueWait: 50 * time.Millisecond, MaxPerClient: 2, MaxBody: 100_000, MaxHeld: 200_000})
	path := "/v1/models/m/score"
	s.admit.slots <- struct{}{}
	r := send(s, "POST", path, oneRow)
	if r.problem(t, 503, "queue-slow"); r.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	s.admit.waiting.Add(1)
	send(s, "POST", path, oneRow).problem(t, 503, "queue-full")
	s.admit.waiting.Add(-1)
	left, leave := context.WithCancel(t.Context())
	leave()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(left, "POST", "http://localhost"+path, strings.NewReader(oneRow)))
	if w.Code != statusGone || w.Header().Get("Retry-After") != "" {
		t.Errorf("a client that left is answered with %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	<-s.admit.slots
	scoreOf(t, s)

	for range 2 {
		if _, p := s.admit.enter(httptest.NewRequest("POST", path, nil)); p != nil {
			t.Fatal(p)
		}
	}
	r = send(s, "POST", path, oneRow)
	if r.problem(t, 429, "too-many-requests"); r.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	clear(s.admit.clients)
	scoreOf(t, s)
	if len(s.admit.clients) != 0 {
		t.Errorf("clients %v", s.admit.clients)
	}

	s.admit.budget.held.Add(190_000)
	long := `{"rows":[[1,1,1]]` + strings.Repeat(" ", 90_000) + "}"
	send(s, "POST", path, long).problem(t, 503, "memory-full")
	s.admit.budget.held.Add(-190_000)
	var got scored
	send(s, "POST", path, long).into(t, 200, &got)
	if held := s.admit.budget.held.Load(); held != 0 {
		t.Errorf("%d bytes are held by nobody", held)
	}
	broken := httptest.NewRequest("POST", "http://localhost"+path, iotest.ErrReader(io.ErrUnexpectedEOF))
	w = httptest.NewRecorder()
	s.ServeHTTP(w, broken)
	reply{w.Code, w.Header(), w.Body.Bytes()}.problem(t, 400, "malformed")
	metrics := string(send(s, "GET", "/metrics", "").text)
	for _, line := range []string{
		`pairrank_http_requests_shed_total{reason="memory-full"} 1`,
		`pairrank_http_requests_shed_total{reason="queue-full"} 1`, `pairrank_rows_scored_total{model="m"} 3`,
		`pairrank_http_requests_total{code="503",route="/v1/models/{name}/score"} 3`,
		`pairrank_http_requests_total{code="499",route="/v1/models/{name}/score"} 1`,
		`pairrank_model_reloads_total{model="m",result="ok"} 1`, `pairrank_http_requests_in_flight 1`,
	} {
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("no line %s in\n%s", line, metrics)
		}
	}
}

// A fault of the server is answered and logged.
func TestFault(t *testing.T) {
	s := made(t, Options{Models: []Source{ones(t, t.TempDir(), 1)}})
	s.models["m"].current.Store(nil)
	send(s, "POST", "/v1/models/m/score", oneRow).problem(t, 500, "fault")
	if len(s.admit.slots) != 0 {
		t.Error("the slot of a fault is lost")
	}
}
