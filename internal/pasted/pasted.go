// Package pasted has what pages in a browser read: the module letor.js, which takes SVMlight
// and LETOR text apart, for the page of a server and for the page of an exported model.
package pasted

import _ "embed"

// Letor is the text of the module. It exports isLetor, readLetor and queriesOf.
//
//go:embed letor.js
var Letor string
