// Sbom writes a bill of materials of a program of Go: the modules it is made of, as the linker wrote them into it.
//
//	sbom -version v1.2.3 -time 1700000000 PROGRAM >pairrank.cdx.json
//
// The bytes depend on the program and these values alone. The program does not say which module asked for which: there
// is no graph. Licences are in the archive (LICENSES-OF-MODULES). release/build calls it.
//
// Generators of others were tried: cyclonedx-gomod 1.10 needs 45 modules and the source tree.
//
// Source: OWASP, CycloneDX 1.5 (ECMA-424), JSON; package-url, type golang.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("sbom", flag.ContinueOnError)
	flags.SetOutput(stderr)
	version := flags.String("version", "", "`VERSION` of the program")
	seconds := flags.Int64("time", 0, "time of the program, in `SECONDS` since 1970")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *version == "" {
		return fmt.Errorf("name one program and its -version")
	}
	program, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	text, err := json.MarshalIndent(billOf(info, sha256.Sum256(program), *version, time.Unix(*seconds, 0)), "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s\n", text)
	return err
}

// bill is a document of CycloneDX.
type bill struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Serial     string      `json:"serialNumber"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Time      time.Time `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string `json:"type"`
	Ref        string `json:"bom-ref"`
	Name       string `json:"name"`
	Version    string `json:"version"`
	PURL       string `json:"purl"`
	Hashes     []hash `json:"hashes,omitempty"`
	Properties []pair `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func billOf(info *debug.BuildInfo, sum [sha256.Size]byte, version string, at time.Time) bill {
	program := module("application", info.Main.Path, version, "")
	program.Hashes = []hash{{"SHA-256", fmt.Sprintf("%x", sum)}}
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" || strings.HasPrefix(s.Key, "vcs.") {
			program.Properties = append(program.Properties, pair{s.Key, s.Value})
		}
	}
	found := []component{module("library", "std", strings.TrimPrefix(info.GoVersion, "go"), "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		found = append(found, module("library", m.Path, m.Version, m.Sum))
	}
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // a UUID of one's own making (RFC 9562, version 8)
	return bill{Format: "CycloneDX", Spec: "1.5", Version: 1, Components: found,
		Serial:   fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16]),
		Metadata: metadata{Time: at.UTC(), Component: program}}
}

// module is the component of a module of Go, with its sum of go.sum if it has one.
func module(kind, path, version, sum string) component {
	purl := fmt.Sprintf("pkg:golang/%s@%s", path, strings.ReplaceAll(version, "+", "%2B"))
	c := component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
	if sum != "" {
		c.Properties = []pair{{"go.sum", sum}}
	}
	return c
}
