package value

import "strings"

// AppendJSON appends v to dst as compact JSON: keys in the order and numbers
// in the digits they were written with.
func AppendJSON(dst []byte, v *Value) []byte { return writer{}.append(dst, v, 0) }

// Indent returns v as JSON with two spaces for each level.
func Indent(v *Value) []byte { return writer{indent: "  ", space: " "}.append(nil, v, 0) }

// writer writes JSON; without an indent it writes everything on one line.
type writer struct{ indent, space string }

func (w writer) append(dst []byte, v *Value, depth int) []byte {
	switch v.Kind {
	case Bool, Number:
		return append(dst, v.Text...)
	case String:
		return appendString(dst, v.Text)
	case Array:
		return w.array(dst, v.Items, depth+1)
	case Object:
		return w.object(dst, v.Members, depth+1)
	}
	return append(dst, "null"...)
}

func (w writer) array(dst []byte, items []Value, depth int) []byte {
	if len(items) == 0 {
		return append(dst, "[]"...)
	}
	for i := range items {
		dst = w.line(append(dst, "[,"[min(i, 1)]), depth)
		dst = w.append(dst, &items[i], depth)
	}
	return append(w.line(dst, depth-1), ']')
}

func (w writer) object(dst []byte, members []Member, depth int) []byte {
	if len(members) == 0 {
		return append(dst, "{}"...)
	}
	for i := range members {
		dst = w.line(append(dst, "{,"[min(i, 1)]), depth)
		dst = append(append(appendString(dst, members[i].Name), ':'), w.space...)
		dst = w.append(dst, &members[i].Value, depth)
	}
	return append(w.line(dst, depth-1), '}')
}

// line begins a new line if the writer indents.
func (w writer) line(dst []byte, depth int) []byte {
	if w.indent == "" {
		return dst
	}
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, w.indent...)
	}
	return dst
}

// appendString appends text as a JSON string and escapes only what it must.
func appendString(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	const short, letters = "\"\\\n\r\t\b\f", `"\nrtbf`
	dst = append(dst, '"')
	start := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(append(dst, text[start:i]...), '\\')
		if s := strings.IndexByte(short, c); s >= 0 {
			dst = append(dst, letters[s])
		} else {
			dst = append(dst, 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		start = i + 1
	}
	return append(append(dst, text[start:]...), '"')
}
