package schema

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/portolan/portolan/engine/value"
)

func read(t testing.TB, text string) *value.Value {
	t.Helper()
	r := reader{dec: json.NewDecoder(strings.NewReader(text)), text: text}
	r.dec.UseNumber()
	v := r.value()
	return &v
}

type reader struct {
	dec  *json.Decoder
	text string
}

func (r *reader) at() int {
	i := int(r.dec.InputOffset())
	for i < len(r.text) && strings.IndexByte(" \n\t\r,:", r.text[i]) >= 0 {
		i++
	}
	return i
}

func (r *reader) value() value.Value {
	at := r.at()
	tok, err := r.dec.Token()
	if err != nil {
		panic(err)
	}
	v := value.Value{At: at}
	switch tok := tok.(type) {
	case nil:
	case bool:
		v.Kind, v.Text = value.Bool, string(mustJSON(tok))
	case json.Number:
		v.Kind, v.Text = value.Number, tok.String()
	case string:
		v.Kind, v.Text = value.String, tok
	case json.Delim:
		v.Kind = value.Array
		if tok == '{' {
			v.Kind = value.Object
		}
		for r.dec.More() {
			if v.Kind == value.Array {
				v.Items = append(v.Items, r.value())
				continue
			}
			m := value.Member{At: r.at()}
			name, _ := r.dec.Token()
			m.Name, _ = name.(string)
			m.Value = r.value()
			v.Members = append(v.Members, m)
		}
		r.dec.Token()
	}
	return v
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b)
}
