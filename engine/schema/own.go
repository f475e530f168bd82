package schema

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/portolan/portolan/engine/value"
)

func equal(a, b *value.Value) bool {
	return string(appendKey(nil, plain(a))) == string(appendKey(nil, plain(b)))
}

func appendJSON(dst []byte, v *value.Value) []byte {
	switch v.Kind {
	case value.String:
		t, _ := json.Marshal(v.Text)
		return append(dst, t...)
	case value.Array:
		dst = append(dst, '[')
		for i := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, &v.Items[i])
		}
		return append(dst, ']')
	case value.Object:
		dst = append(dst, '{')
		for i := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			t, _ := json.Marshal(v.Members[i].Name)
			dst = append(append(dst, t...), ':')
			dst = appendJSON(dst, &v.Members[i].Value)
		}
		return append(dst, '}')
	case value.Null:
		return append(dst, "null"...)
	}
	return append(dst, v.Text...)
}

func checkedName(name string) string {
	if name == "" || strings.TrimSpace(name) != name || len([]rune(name)) > 255 || slices.ContainsFunc([]rune(name), unicode.IsControl) {
		return "not a legal name"
	}
	return ""
}
