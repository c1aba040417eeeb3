package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// bin is the bytes of values in little-endian order.
func bin(t *testing.T, values ...any) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// elfProgram is the head of a program for linux with these segments.
func elfProgram(t *testing.T, machine elf.Machine, segments ...elf.ProgType) []byte {
	t.Helper()
	h := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(machine), Version: 1, Phoff: 64, Ehsize: 64,
		Phentsize: 56, Phnum: uint16(len(segments)), Shentsize: 64}
	copy(h.Ident[:], "\x7fELF\x02\x01\x01")
	b := bin(t, h)
	for _, s := range segments {
		b = append(b, bin(t, elf.Prog64{Type: uint32(s)})...)
	}
	return b
}

// machProgram is the head of a program for macOS, from this version on; 0 does not say.
func machProgram(t *testing.T, cpu macho.Cpu, oldest uint32) []byte {
	t.Helper()
	loads := []uint32{buildVersion, 24, 1, oldest, oldest, 0}
	h := macho.FileHeader{Magic: macho.Magic64, Cpu: cpu, Type: macho.TypeExec, Ncmd: 1, Cmdsz: 24}
	if oldest == 0 {
		h.Ncmd, h.Cmdsz = 0, 0
	}
	return bin(t, h, uint32(0), loads)
}

func peProgram(t *testing.T, machine uint16) []byte {
	t.Helper()
	head := make([]byte, 0x80)
	copy(head, "MZ")
	head[0x3c] = 0x80
	return append(append(head, "PE\x00\x00"...), bin(t, pe.FileHeader{Machine: machine}, [64]byte{})...)
}

func TestPlatforms(t *testing.T) {
	for _, test := range []struct {
		program []byte
		want    string // the names, or a part of the error
	}{
		{elfProgram(t, elf.EM_X86_64, elf.PT_LOAD), "manylinux2014_x86_64 manylinux_2_17_x86_64 musllinux_1_1_x86_64"},
		{elfProgram(t, elf.EM_AARCH64), "manylinux2014_aarch64 manylinux_2_17_aarch64 musllinux_1_1_aarch64"},
		{elfProgram(t, elf.EM_X86_64, elf.PT_INTERP), "linked dynamically"},
		{elfProgram(t, elf.EM_X86_64, elf.PT_LOAD, elf.PT_DYNAMIC), "linked dynamically"},
		{elfProgram(t, elf.EM_RISCV), "no wheel is made for EM_RISCV"},
		{machProgram(t, macho.CpuArm64, 12<<16|3<<8), "macosx_12_0_arm64"},
		{machProgram(t, macho.CpuAmd64, 10<<16|15<<8), "macosx_10_15_x86_64"},
		{machProgram(t, macho.CpuAmd64, 0), "does not say"},
		{machProgram(t, macho.CpuPpc64, 12<<16), "no wheel is made for"},
		{peProgram(t, pe.IMAGE_FILE_MACHINE_AMD64), "win_amd64"},
		{peProgram(t, pe.IMAGE_FILE_MACHINE_ARM64), "win_arm64"},
		{peProgram(t, pe.IMAGE_FILE_MACHINE_I386), "no wheel is made for machine 0x14c"},
		{[]byte("#!/bin/sh\n"), "not one for"},
		{nil, "not one for"},
	} {
		names, err := platforms(test.program)
		if err != nil {
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("want %s: %v", test.want, err)
			}
		} else if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

func TestPythonVersion(t *testing.T) {
	for described, want := range map[string]string{
		"v1.2.3":                         "1.2.3",
		"1.2":                            "1.2",
		"v1.2.3-dirty":                   "1.2.3+dirty",
		"v1.2.3-5-gabcdef0":              "1.2.3.post5+gabcdef0",
		"v1.2.3-5-g0000000-dirty":        "1.2.3.post5+g0000000.dirty",
		"v1.2.3-rc.1":                    "1.2.3rc1",
		"v1.2.3rc1-2-gabcdef0":           "1.2.3rc1.post2+gabcdef0",
		"a35d994c":                       "0+ga35d994c",
		"0012345-dirty":                  "0+g0012345.dirty",
		"":                               "",
		"v1.2.3-x":                       "",
		"latest":                         "",
		"../1.2.3":                       "",
		"v1.2.3\nRequires-Dist: another": "",
	} {
		got, err := pythonVersion(described)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v, want %q", described, got, err, want)
		}
	}
}

// lay lays out an archive for arm64 and the sources of a package.
func lay(t *testing.T) (archive, sources string) {
	t.Helper()
	archive, sources = t.TempDir(), t.TempDir()
	program := string(elfProgram(t, elf.EM_AARCH64))
	for path, text := range map[string]string{
		filepath.Join(archive, "pairrank"):                                program,
		filepath.Join(archive, "LICENSE"):                                 "ours",
		filepath.Join(archive, "LICENSES-OF-MODULES"):                     "theirs",
		filepath.Join(archive, "README.md"):                               "of the archive",
		filepath.Join(sources, "README.md"):                               "# pairrank\n",
		filepath.Join(sources, "tests", "test_it.py"):                     "assert True\n",
		filepath.Join(sources, "pairrank", "__init__.py"):                 "pass\n",
		filepath.Join(sources, "pairrank", "_version.py"):                 "__version__ = '0'\n",
		filepath.Join(sources, "pairrank", "py.typed"):                    "",
		filepath.Join(sources, "pairrank", "deep", "__init__.py"):         "deep = 1\n",
		filepath.Join(sources, "pairrank", "__pycache__", "__init__.pyc"): "compiled",
		filepath.Join(sources, "pairrank", "bin", "pairrank"):             "another program",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return archive, sources
}

// make writes a wheel into a folder of its own and returns its path.
func makeWheel(t *testing.T, archive, sources string) string {
	t.Helper()
	var out bytes.Buffer
	dir := t.TempDir()
	err := run([]string{"-o", dir, "-python", sources, "-version", "v1.2.3", "-time", "1700000000", archive}, &out,
		io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

func TestWheel(t *testing.T) {
	archive, sources := lay(t)
	path := makeWheel(t, archive, sources)
	if got, want := filepath.Base(path), "pairrank-1.2.3-py3-none-"+
		"manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64.whl"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	texts := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		names, texts[f.Name] = append(names, f.Name), string(text)
		want := os.FileMode(0o644)
		if f.Name == "pairrank/bin/pairrank" {
			want = 0o755
		}
		if f.Mode() != want || f.Modified.Unix() != 1700000000 {
			t.Errorf("%s: mode %v, time %v", f.Name, f.Mode(), f.Modified)
		}
	}
	const info = "pairrank-1.2.3.dist-info/"
	if want := []string{"pairrank/__init__.py", "pairrank/_version.py", "pairrank/bin/pairrank",
		"pairrank/deep/__init__.py", "pairrank/py.typed", info + "LICENSE", info + "LICENSES-OF-MODULES", info + "METADATA",
		info + "WHEEL", info + "entry_points.txt", info + "RECORD"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if want := "__version__ = \"1.2.3\"\n"; !strings.HasSuffix(texts["pairrank/_version.py"], want) {
		t.Errorf("%q", texts["pairrank/_version.py"])
	}
	for name, part := range map[string]string{"LICENSE": "ours", "LICENSES-OF-MODULES": "theirs",
		"METADATA": "\nVersion: 1.2.3\n", "WHEEL": "\nTag: py3-none-manylinux_2_17_aarch64\nTag: "} {
		if !strings.Contains(texts[info+name], part) {
			t.Errorf("%s has no %q:\n%s", name, part, texts[info+name])
		}
	}
	if !strings.HasSuffix(texts[info+"METADATA"], "\n\n# pairrank\n") {
		t.Errorf("the description is not below an empty line:\n%s", texts[info+"METADATA"])
	}
	checkRecord(t, texts, info+"RECORD")
}

// checkRecord looks for each file in the record, by its sum and size, and for nothing else.
func checkRecord(t *testing.T, texts map[string]string, name string) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(texts[name])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != len(texts) {
		t.Errorf("%d lines of %d files", len(lines), len(texts))
	}
	for _, l := range lines {
		text, known := texts[l[0]]
		sum := sha256.Sum256([]byte(text))
		want := []string{l[0], "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]), strconv.Itoa(len(text))}
		if l[0] == name {
			want = []string{name, "", ""}
		}
		if !known || !slices.Equal(l, want) {
			t.Errorf("%q, want %q", l, want)
		}
	}
}

// The bytes do not depend on when and where the files were written.
func TestWheelIsReproducible(t *testing.T) {
	archive, sources := lay(t)
	first, err := os.ReadFile(makeWheel(t, archive, sources))
	if err != nil {
		t.Fatal(err)
	}
	archive, sources = lay(t)
	if err := os.Chmod(filepath.Join(sources, "README.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(makeWheel(t, archive, sources))
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("another wheel (%v)", err)
	}
}

func TestWheelRefuses(t *testing.T) {
	archive, sources := lay(t)
	empty := t.TempDir()
	for _, test := range []struct{ args, want string }{
		{"-version v1.0 -time 1700000000", "name one folder"},
		{"-version v1.0 -time 1 ARCHIVE", "-time"},
		{"-version latest -time 1700000000 ARCHIVE", `"latest" is no version`},
		{"-version v1.0 -time 1700000000 EMPTY", "no program"},
		{"-version v1.0 -time 1700000000 -python EMPTY ARCHIVE", "pairrank"},
	} {
		args := strings.Fields("-o " + empty + " -python " + sources + " " +
			strings.NewReplacer("ARCHIVE", archive, "EMPTY", empty).Replace(test.args))
		if err := run(args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.args, err, test.want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(empty, "*")); err != nil || left != nil {
		t.Errorf("files are left: %v (%v)", left, err)
	}
	if err := os.Remove(filepath.Join(archive, "LICENSES-OF-MODULES")); err != nil {
		t.Fatal(err)
	}
	if _, err := newWheel(archive, sources, "1"); err == nil {
		t.Error("a wheel without a licence")
	}
}
