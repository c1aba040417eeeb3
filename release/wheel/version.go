package main

import (
	"fmt"
	"regexp"
)

var (
	tagged = regexp.MustCompile(`^v?(\d+(?:\.\d+)+)(?:-?(a|b|rc)\.?(\d+))?(?:-(\d+)-(g[0-9a-f]+))?(-dirty)?$`)
	commit = regexp.MustCompile(`^([0-9a-f]{7,40})(-dirty)?$`)
)

// pythonVersion is the version of PEP 440 that stands for one of git describe --tags --always --dirty: v1.2.3-rc.1 is
// 1.2.3rc1, five commits after v1.2.3 are 1.2.3.post5+gCOMMIT, and a commit without any tag is 0+gCOMMIT. Versions that
// differ stay different.
func pythonVersion(described string) (string, error) {
	version, local := "0", ""
	if m := tagged.FindStringSubmatch(described); m != nil {
		version = m[1] + m[2] + m[3]
		if m[4] != "" {
			version += ".post" + m[4]
			local = m[5]
		}
		return join(version, local, m[6]), nil
	}
	m := commit.FindStringSubmatch(described)
	if m == nil {
		return "", fmt.Errorf("%q is no version: tag a commit v1.2.3 or v1.2.3-rc.1", described)
	}
	return join(version, "g"+m[1], m[2]), nil // a number alone would lose its first zeros
}

// join appends the local part of a version.
func join(version, local, dirty string) string {
	switch {
	case local != "" && dirty != "":
		return version + "+" + local + ".dirty"
	case dirty != "":
		return version + "+dirty"
	case local != "":
		return version + "+" + local
	}
	return version
}
