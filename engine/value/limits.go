package value

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of a text, the same for JSON and YAML (marketplace M4, trust J4 to J6).
const (
	MaxDepth    = 64        // arrays and objects inside one another
	MaxDigits   = 400       // of a number
	MaxExponent = 400       // of a number, as written, without its sign
	MaxValues   = 2_000_000 // in one text; bounds the memory that reading takes
)

var (
	tooDeep = fmt.Sprintf("Arrays and objects are nested more than %d deep: make the document flatter.", MaxDepth)
	tooLong = fmt.Sprintf("The number has more than %d digits: shorten it or write it as a string.", MaxDigits)
	tooMany = fmt.Sprintf("The text holds more than %d values: split it.", MaxValues)
)

const (
	holdsNul = "The NUL character (U+0000) is not allowed in strings: remove it."
	isEmpty  = "The text is empty: write one document, at least {}."
)

// encodings are the ways to begin a text that are not plain UTF-8. The longer
// mark goes first where one begins like another.
var encodings = []struct{ start, name string }{
	{"\x00\x00\xfe\xff", "is in UTF-32"},
	{"\xff\xfe\x00\x00", "is in UTF-32"},
	{"\xfe\xff", "is in UTF-16"},
	{"\xff\xfe", "is in UTF-16"},
	{"\xef\xbb\xbf", "begins with a byte order mark (U+FEFF)"},
	{"\x00\x00\x00", "is in UTF-32"},
}

// checkEncoding refuses what is not UTF-8 without a byte order mark (trust J5).
func checkEncoding(text string) *refusal {
	for _, e := range encodings {
		if strings.HasPrefix(text, e.start) {
			return &refusal{message: "The text " + e.name + ": save it as UTF-8 without a byte order mark."}
		}
	}
	if name := wide(text); name != "" {
		return &refusal{message: "The text is in " + name + ": save it as UTF-8 without a byte order mark."}
	}
	if utf8.ValidString(text) {
		return nil
	}
	for at, r := range text {
		if _, size := utf8.DecodeRuneInString(text[at:]); r == utf8.RuneError && size == 1 {
			return &refusal{at: at, length: 1, message: fmt.Sprintf("The byte 0x%02X is not UTF-8: save the text as UTF-8.", text[at])}
		}
	}
	return nil
}

// wide names the encoding of a text whose first character, which is ASCII in
// every document, is written with the zero bytes of UTF-16 or UTF-32.
func wide(text string) string {
	if len(text) < 2 || text[0] == 0 == (text[1] == 0) {
		return ""
	}
	if len(text) >= 4 && text[1] == 0 && text[2] == 0 && text[3] == 0 {
		return "UTF-32"
	}
	return "UTF-16"
}

// checkNumber returns what is wrong with the size of a number, written as in
// JSON or in YAML, before anything converts it (trust J4).
func checkNumber(number string) string {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	if countDigits(mantissa) > MaxDigits || len(exponent) > MaxDigits {
		return tooLong
	}
	if size, err := strconv.Atoi(strings.TrimLeft(exponent, "+-0")); size > MaxExponent || errors.Is(err, strconv.ErrRange) {
		return fmt.Sprintf("The exponent of the number is beyond %d: write a smaller one or a string.", MaxExponent)
	}
	return ""
}

func countDigits(number string) (digits int) {
	for i := range len(number) {
		if '0' <= number[i] && number[i] <= '9' {
			digits++
		}
	}
	return digits
}
