package web

import "strings"

// pairs calls yield for each name and value of a query or form, decoded;
// empty pairs are left out. It ends with the name of a pair whose escapes are
// broken, and false.
func pairs(s string, yield func(name, value string)) (bad string, ok bool) {
	for pair := range strings.SplitSeq(s, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, nameOK := decode(rawName)
		value, valueOK := decode(rawValue)
		if !nameOK || !valueOK {
			return name, false
		}
		yield(name, value)
	}
	return "", true
}

// decode undoes percent-encoding exactly once; a plus is a space, everything
// else stands for itself, raw braces and quotes too.
func decode(s string) (string, bool) {
	if !strings.ContainsAny(s, "%+") {
		return s, true
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '+':
			b.WriteByte(' ')
		case '%':
			char, ok := unhex(s[i+1:])
			if !ok {
				return s, false
			}
			b.WriteByte(char)
			i += 2
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), true
}

// unhex reads the two digits that s begins with.
func unhex(s string) (byte, bool) {
	if len(s) < 2 {
		return 0, false
	}
	high, low := digit(s[0]), digit(s[1])
	return high<<4 | low, high < 16 && low < 16
}

func digit(b byte) byte {
	switch {
	case '0' <= b && b <= '9':
		return b - '0'
	case 'a' <= b|0x20 && b|0x20 <= 'f':
		return b | 0x20 - 'a' + 10
	}
	return 16
}
