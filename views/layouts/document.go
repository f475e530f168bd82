package layouts

import (
	"maps"
	"slices"

	"github.com/portolan/portolan/views/components"
)

// htmxConfig keeps htmx within the content security policy and out of the
// browser's storage (portal A4).
const htmxConfig = `{"allowEval":false,"includeIndicatorStyles":false,"selfRequestsOnly":true,"allowScriptTags":false,` +
	`"historyCacheSize":0,"refreshOnHistoryMiss":true,"responseHandling":[{"code":"204","swap":false},{"code":"[23]..","swap":true},` +
	`{"code":"400|409|422","swap":true,"error":false},{"code":"...","swap":false,"error":true}]}`

// icon is the mark in small, for the browser's tab; data images need no request.
const icon = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E` +
	`%3Crect width='32' height='32' rx='7' fill='%230a5aa8'/%3E` +
	`%3Cpath d='M16 4l2.6 9.4L28 16l-9.4 2.6L16 28l-2.6-9.4L4 16l9.4-2.6z' fill='%23fff'/%3E%3C/svg%3E`

// everywhere lists the keys that work on every page (portal X17).
var everywhere = []components.KeyHint{
	{Keys: "/", Does: "search this list"},
	{Keys: "g h", Does: "home"},
	{Keys: "g d", Does: "declare"},
	{Keys: "g a", Does: "applications"},
	{Keys: "g s", Does: "submissions"},
	{Keys: "g i", Does: "items"},
	{Keys: "g q", Does: "queue"},
	{Keys: "g c", Does: "catalogue"},
	{Keys: "?", Does: "keys of this page"},
}

func sortedKeys(counts map[string]int) []string { return slices.Sorted(maps.Keys(counts)) }
