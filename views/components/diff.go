package components

// DiffOp is what happened to one field.
type DiffOp string

// What may happen to a field.
const (
	Added   DiffOp = "+"
	Changed DiffOp = "~"
	Removed DiffOp = "−"
)

// DiffRow is one field of a comparison, both sides written as text.
type DiffRow struct {
	Path          string
	Op            DiffOp
	Before, After string
	Note          string // "known after completion", "forces replacement"
}

// DiffView is a way of laying out a comparison.
type DiffView string

// The views of a comparison, as the address names them.
const (
	SideBySide DiffView = ""
	Inline     DiffView = "inline"
	Raw        DiffView = "raw"
)

// Diff is a comparison of two versions; what they are versions of stands above it.
type Diff struct {
	Label         string // what is compared, spoken: "VM CoreVM1"
	Rows          []DiffRow
	Unchanged     []DiffRow // fields on both sides, folded away
	Before, After string    // the whole texts, for the raw view
	View          DiffView
	Link          func(DiffView) string // the address of a view; nil leaves the choice out
}

var diffViews = []struct {
	view DiffView
	word string
}{{SideBySide, "Side by side"}, {Inline, "Inline"}, {Raw, "Raw"}}

var diffWords = map[DiffOp]struct{ class, spoken string }{
	Added:   {"op-added", "added"},
	Changed: {"op-changed", "changed"},
	Removed: {"op-removed", "removed"},
}

// sideClass tints a side that holds something the other does not.
func sideClass(side string, row DiffRow) string {
	switch {
	case side == "was" && row.Op != Added && row.Op != "":
		return "was before"
	case side == "is" && row.Op != Removed && row.Op != "":
		return "is after"
	}
	return ""
}

// hiddenUnless writes aria-hidden.
func hiddenUnless(spoken bool) string {
	if spoken {
		return "false"
	}
	return "true"
}

func current(is bool) string {
	if is {
		return "true"
	}
	return "false"
}
