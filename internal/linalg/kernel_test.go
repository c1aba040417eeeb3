package linalg

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestSetKernel(t *testing.T) {
	before := Kernel()
	defer SetKernel(before)
	if names := Kernels(); names[0] != "go" || !slices.Contains(names, before) {
		t.Errorf("kernels %v, in use %q", names, before)
	}
	for _, name := range Kernels() {
		if err := SetKernel(name); err != nil || Kernel() != name {
			t.Errorf("%q: %v, in use %q", name, err, Kernel())
		}
	}
	SetKernel("go")
	err := SetKernel("axv2")
	if err == nil || Kernel() != "go" {
		t.Fatalf("error %v, in use %q", err, Kernel())
	}
	for _, name := range append([]string{"axv2"}, kernelNames...) {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q does not name %s", err, name)
		}
	}
	for _, name := range kernelNames {
		if !slices.Contains(Kernels(), name) && SetKernel(name) == nil {
			t.Errorf("%s cannot run here and was accepted", name)
		}
	}
}

// TestKernelVariable starts this test binary with the variable set.
func TestKernelVariable(t *testing.T) {
	if value, ok := os.LookupEnv("LINALG_TEST_CHILD"); ok {
		wantErr := value == "error"
		if (KernelError() != nil) != wantErr {
			t.Errorf("KernelError is %v", KernelError())
		}
		if !wantErr && Kernel() != os.Getenv(KernelVariable) {
			t.Errorf("in use %q, asked for %q", Kernel(), os.Getenv(KernelVariable))
		}
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	for _, name := range append([]string{"axv2"}, kernelNames...) {
		want := "ok"
		if !slices.Contains(Kernels(), name) {
			want = "error"
		}
		child := exec.Command(self, "-test.run=^TestKernelVariable$")
		child.Env = append(os.Environ(), KernelVariable+"="+name, "LINALG_TEST_CHILD="+want)
		if out, err := child.CombinedOutput(); err != nil {
			if strings.Contains(err.Error(), "exec format") {
				t.Skip("this machine cannot start its own binary")
			}
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
