package api

import (
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/portolan/portolan/models"
)

// Moment is a time as the API writes it: RFC 3339 in UTC with microseconds.
type Moment time.Time

// moments is the layout of every time that the API writes.
const moments = "2006-01-02T15:04:05.000000Z"

// MarshalJSON writes the time with all its microseconds.
func (m Moment) MarshalJSON() ([]byte, error) {
	return []byte(`"` + time.Time(m).UTC().Format(moments) + `"`), nil
}

// Schema tells the OpenAPI document what a time looks like.
func (Moment) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}

// someMoment is a time that may be missing.
func someMoment(at *time.Time) *Moment {
	if at == nil {
		return nil
	}
	return ptr(Moment(*at))
}

// Nothing is a field that programs expect and that has no value yet.
type Nothing struct{}

// MarshalJSON writes null.
func (Nothing) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// Schema tells the OpenAPI document that only null stands there.
func (Nothing) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: "null"} }

// Free is JSON of the users' own making, written as it was stored.
type Free json.RawMessage

// MarshalJSON writes the stored text.
func (f Free) MarshalJSON() ([]byte, error) { return json.RawMessage(f).MarshalJSON() }

// Schema tells the OpenAPI document that anything may stand there.
func (Free) Schema(huma.Registry) *huma.Schema { return &huma.Schema{} }

// free is a stored JSON text, null if there is none.
func free(text *string) Free {
	if text == nil {
		return Free("null")
	}
	return Free(*text)
}

// Named is something by its id and name.
type Named struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// NamedTeam is a team with what it says about itself.
type NamedTeam struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Metadata Free   `json:"metadata"`
}

func named(t models.Team) Named { return Named{t.ID, t.Name} }

func namedTeam(t models.Team) NamedTeam { return NamedTeam{t.ID, t.Name, Free(t.Metadata)} }

// Message is an answer that only says something.
type Message struct {
	Message string `json:"message"`
}
