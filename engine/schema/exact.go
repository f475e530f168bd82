package schema

import (
	"math/big"
	"strings"
)

// rat reads a number exactly, nil if it is none; the parser bounds its size.
func rat(number string) *big.Rat {
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		return nil
	}
	return r
}

// ratKey writes a number so that equal numbers have equal texts.
func ratKey(number string) string {
	if number != "-0" && !strings.ContainsAny(number, ".eE") {
		return number
	}
	r := rat(number)
	if r == nil {
		return number
	}
	return r.RatString()
}
