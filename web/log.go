package web

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"unicode"
	"unicode/utf8"
)

// logged is the longest value of a log line in bytes (trust L5).
const logged = 1 << 10

// NewLogger makes a logger that writes one JSON line per event in UTC, with
// everything invisible escaped and every value cut at 1 KiB.
func NewLogger(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: harmless}))
}

// harmless makes one value of a log line safe to look at.
func harmless(_ []string, a slog.Attr) slog.Attr {
	a.Key = clean(a.Key)
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(clean(a.Value.String()))
	case slog.KindTime:
		a.Value = slog.TimeValue(a.Value.Time().UTC())
	case slog.KindAny:
		a.Value = harmlessAny(a.Value.Any())
	}
	return a
}

func harmlessAny(v any) slog.Value {
	if level, ok := v.(slog.Level); ok {
		return slog.AnyValue(level)
	}
	return slog.StringValue(clean(fmt.Sprint(v)))
}

// clean escapes control, formatting and broken characters, which includes
// ANSI and bidi, and cuts what is too long.
func clean(s string) string {
	cut := s
	if len(cut) > logged {
		cut = strings.ToValidUTF8(cut[:logged], "") + "…"
	}
	if strings.IndexFunc(cut, invisible) < 0 {
		return cut
	}
	var b strings.Builder
	for i, r := range cut {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(cut[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, cut[i])
		case invisible(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// invisible reports whether a terminal or a reader could be fooled by r.
func invisible(r rune) bool {
	return r == utf8.RuneError || r != ' ' && !unicode.IsPrint(r)
}
