package syntax

/*
#include "shim.h"
*/
import "C"

import "unsafe"

// Node and Flags in Go are what C writes. Each of these is 0, or else it is no value of its unsigned type and does not compile.
const (
	_ = -(unsafe.Sizeof(Node{}) - C.sizeof_wf_node)
	_ = -(unsafe.Offsetof(Node{}.Start) - unsafe.Offsetof(C.wf_node{}.start))
	_ = -(unsafe.Offsetof(Node{}.End) - unsafe.Offsetof(C.wf_node{}.end))
	_ = -(unsafe.Offsetof(Node{}.Row) - unsafe.Offsetof(C.wf_node{}.row))
	_ = -(unsafe.Offsetof(Node{}.Size) - unsafe.Offsetof(C.wf_node{}.size))
	_ = -(unsafe.Offsetof(Node{}.Parent) - unsafe.Offsetof(C.wf_node{}.parent))
	_ = -(unsafe.Offsetof(Node{}.Symbol) - unsafe.Offsetof(C.wf_node{}.symbol))
	_ = -(unsafe.Offsetof(Node{}.Field) - unsafe.Offsetof(C.wf_node{}.field))
	_ = -(unsafe.Offsetof(Node{}.Flags) - unsafe.Offsetof(C.wf_node{}.flags))
	_ = -(Named - C.WF_NAMED)
	_ = -(Error - C.WF_ERROR)
	_ = -(Missing - C.WF_MISSING)
	_ = -(HasError - C.WF_HAS_ERROR)
	_ = -(Extra - C.WF_EXTRA)
	_ = -(Cut - C.WF_CUT)
)
