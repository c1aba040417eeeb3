package main

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
)

// platforms returns the names by which Python knows the systems that a program runs on, read from the program.
//
//   - linux: a static program needs no C library, so that it may name any. It claims the oldest glibc of a distribution
//     whose kernel is one that Go runs on: 2.17, of 2012, where Go asks for Linux 3.2; glibc 2.12 came with Linux 2.6.
//     manylinux2014 is the same for pip before 20.3. For musl it claims 1.1, the oldest that has a name.
//   - macOS: the oldest version that the linker wrote into the program.
//   - Windows: the processor.
//
// An error says that the program is linked dynamically, or for another system.
func platforms(program []byte) ([]string, error) {
	r := bytes.NewReader(program)
	if f, err := elf.NewFile(r); err == nil {
		return linux(f)
	}
	if f, err := macho.NewFile(r); err == nil {
		return macOS(f)
	}
	if f, err := pe.NewFile(r); err == nil {
		return windows(f)
	}
	return nil, errors.New("the program is not one for linux, macOS or Windows")
}

func linux(f *elf.File) ([]string, error) {
	arch, known := map[elf.Machine]string{elf.EM_X86_64: "x86_64", elf.EM_AARCH64: "aarch64"}[f.Machine]
	if !known {
		return nil, fmt.Errorf("no wheel is made for %v", f.Machine)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			return nil, errors.New("the program is linked dynamically: build it with CGO_ENABLED=0")
		}
	}
	return []string{"manylinux2014_" + arch, "manylinux_2_17_" + arch, "musllinux_1_1_" + arch}, nil
}

// buildVersion is the load command of a Mach-O file that has the oldest system (LC_BUILD_VERSION).
const buildVersion = 0x32

func macOS(f *macho.File) ([]string, error) {
	arch, known := map[macho.Cpu]string{macho.CpuAmd64: "x86_64", macho.CpuArm64: "arm64"}[f.Cpu]
	if !known {
		return nil, fmt.Errorf("no wheel is made for %v", f.Cpu)
	}
	for _, l := range f.Loads {
		raw := l.Raw()
		if len(raw) < 16 || f.ByteOrder.Uint32(raw) != buildVersion {
			continue
		}
		oldest := f.ByteOrder.Uint32(raw[12:]) // major, minor, patch: 16, 8 and 8 bits
		if oldest>>16 < 11 {
			return []string{fmt.Sprintf("macosx_%d_%d_%s", oldest>>16, oldest>>8&0xff, arch)}, nil
		}
		return []string{fmt.Sprintf("macosx_%d_0_%s", oldest>>16, arch)}, nil // since 11 a minor version adds nothing
	}
	return nil, errors.New("the program does not say for which macOS it is")
}

func windows(f *pe.File) ([]string, error) {
	arch, known := map[uint16]string{
		pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64",
	}[f.Machine]
	if !known {
		return nil, fmt.Errorf("no wheel is made for machine %#x of Windows", f.Machine)
	}
	return []string{"win_" + arch}, nil
}
