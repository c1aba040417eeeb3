// Package pasted has the module letor.js, which parses SVMlight and LETOR text in the browser, for
// the page of a server and the page of an exported model.
package pasted

import _ "embed"

// Letor is the text of the module. It exports isLetor, readLetor and queriesOf.
//
//go:embed letor.js
var Letor string
