package value

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
)

// Canonical returns the bytes that equal values, and no others, have in common
// under o (marketplace G3). They are JSON, but not always within M4's limits.
func Canonical(v *Value, o *Ordering) []byte { return AppendCanonical(nil, v, o) }

// Hash returns the SHA-256 of the canonical bytes of v.
func Hash(v *Value, o *Ordering) [sha256.Size]byte {
	return sha256.Sum256(AppendCanonical(make([]byte, 0, 512), v, o))
}

// AppendCanonical appends the canonical bytes of v to dst.
func AppendCanonical(dst []byte, v *Value, o *Ordering) []byte {
	switch v.Kind {
	case Bool:
		return append(dst, v.Text...)
	case Number:
		return appendNumber(dst, v.Text)
	case String:
		return appendString(dst, v.Text)
	case Array:
		if o != nil && o.Unordered {
			return appendMultiset(dst, v.Items, o)
		}
		return appendList(dst, v.Items, o)
	case Object:
		return appendObject(dst, v, o)
	}
	return append(dst, "null"...)
}

func appendList(dst []byte, items []Value, o *Ordering) []byte {
	below := o.items()
	dst = append(dst, '[')
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendCanonical(dst, &items[i], below)
	}
	return append(dst, ']')
}

// appendMultiset appends items in the order of their canonical bytes.
func appendMultiset(dst []byte, items []Value, o *Ordering) []byte {
	below := o.items()
	var all []byte
	ends := make([]int, len(items))
	for i := range items {
		all = AppendCanonical(all, &items[i], below)
		ends[i] = len(all)
	}
	parts := make([][]byte, len(items))
	start := 0
	for i, end := range ends {
		parts[i], start = all[start:end], end
	}
	slices.SortFunc(parts, bytes.Compare)

	dst = append(dst, '[')
	for i, part := range parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, part...)
	}
	return append(dst, ']')
}

func appendObject(dst []byte, v *Value, o *Ordering) []byte {
	var few [16]int
	dst = append(dst, '{')
	for n, i := range byName(few[:0], v.Members) {
		if n > 0 {
			dst = append(dst, ',')
		}
		m := &v.Members[i]
		dst = append(appendString(dst, m.Name), ':')
		dst = AppendCanonical(dst, &m.Value, o.member(m.Name))
	}
	return append(dst, '}')
}

// byName returns the indexes of members sorted by the code points of their
// names, for which the bytes of UTF-8 stand in.
func byName(indexes []int, members []Member) []int {
	for i := range members {
		indexes = append(indexes, i)
	}
	slices.SortFunc(indexes, func(a, b int) int { return strings.Compare(members[a].Name, members[b].Name) })
	return indexes
}

// appendNumber appends the one form that all ways to write a number share:
// its digits without zeros at either end, and an exponent unless it is 0.
// Nothing is rounded and no exponent expanded.
func appendNumber(dst []byte, number string) []byte {
	start := len(dst)
	if strings.HasPrefix(number, "-") {
		dst, number = append(dst, '-'), number[1:]
	}
	first := len(dst)
	digits, written := number, 0
	if e := strings.IndexAny(number, "eE"); e >= 0 {
		digits = number[:e]
		written, _ = strconv.Atoi(number[e+1:]) // the limits keep it small
	}
	exponent := written
	if point := strings.IndexByte(digits, '.'); point >= 0 {
		exponent -= len(digits) - point - 1
	}
	for i := range len(digits) {
		if c := digits[i]; c != '.' && (c != '0' || len(dst) > first) {
			dst = append(dst, c)
		}
	}
	if len(dst) == first {
		return append(dst[:start], '0')
	}
	for ; dst[len(dst)-1] == '0'; exponent++ {
		dst = dst[:len(dst)-1]
	}
	if exponent == 0 {
		return dst
	}
	return strconv.AppendInt(append(dst, 'e'), int64(exponent), 10)
}
