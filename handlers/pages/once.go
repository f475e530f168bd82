package pages

import (
	"context"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	views "github.com/portolan/portolan/views/pages"
	"github.com/portolan/portolan/web"
)

// notOurs marks a request that no form of ours makes (portal X4): it gets 400,
// and no form back.
const notOurs = "not_ours"

// begin reads a form of ours: who sent it, with the key that the form was drawn
// with, and what was filled in. Answer tells where a form that was sent before
// led, it is nil for a new one (trust C1, C3).
func (p Pages) begin(c *fiber.Ctx) (who market.Actor, form web.FormValues, answer *market.Answer, err error) {
	who = web.Actor(c)
	if form, err = web.Form(c); err != nil {
		return who, form, nil, err
	}
	key, err := web.CheckKey("idempotency_key", form.Text("idempotency_key"))
	if err != nil || key == "" {
		return who, form, nil, &fault.Error{Kind: fault.Invalid, Code: notOurs, Text: "This was not sent by a form of the portal. Open the page and try again."}
	}
	fingerprint, err := web.Fingerprint(c)
	if err != nil {
		return who, form, nil, err
	}
	sum, err := hex.DecodeString(fingerprint)
	if err != nil {
		return who, form, nil, err
	}
	who.Once = &market.Once{Key: key + " " + c.Path(), Fingerprint: sum} // the forms of one page share a key
	answer, err = p.replay(c.UserContext(), who)
	if f := fault.Of(err); f != nil && f.Code == "idempotency_mismatch" {
		err = &fault.Error{Kind: fault.Conflict, Code: f.Code, Text: "This form was sent before, with something else in it. Open the page again and send it from there."}
	}
	return who, form, answer, err
}

// once answers a form: do works once for each form that was drawn, names the
// place to go on to and says what was done; a form that comes again is led to
// the same place.
func (p Pages) once(c *fiber.Ctx, do func(who market.Actor, form web.FormValues) (place, said string, err error)) error {
	who, form, answer, err := p.begin(c)
	if err != nil {
		return err
	}
	if answer != nil {
		return web.Redirect(c, answer.Location)
	}
	place, said, err := do(who, form)
	if err != nil {
		// The first of two sendings may have done it meanwhile.
		if answer, _ := p.replay(c.UserContext(), who); answer != nil {
			return web.Redirect(c, answer.Location)
		}
		return err
	}
	if err := p.keep(c.UserContext(), who, place); err != nil {
		return err
	}
	if said != "" {
		web.Announce(c, "ok", said)
	}
	return web.Redirect(c, place)
}

// keep remembers where a form led.
func (p Pages) keep(ctx context.Context, who market.Actor, place string) error {
	if who.Once == nil {
		return nil
	}
	return p.Market.Keep(ctx, who, market.Answer{Status: fiber.StatusSeeOther, Location: place})
}

// A second press of a button waits for the answer to the first.
const (
	replayPause = 50 * time.Millisecond
	replayTries = 60
)

// replay asks for the answer to an earlier sending of a form, and waits for one
// that is being worked on.
func (p Pages) replay(ctx context.Context, who market.Actor) (answer *market.Answer, err error) {
	for range replayTries {
		answer, err = p.Market.Replay(ctx, who)
		if f := fault.Of(err); f == nil || f.Code != "in_progress" {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(replayPause):
		}
	}
	return nil, err
}

// number reads an id from the path; what is none leads nowhere.
func number(c *fiber.Ctx, name string) (int64, error) {
	id, err := strconv.ParseInt(c.Params(name), 10, 64)
	if err != nil || id < 1 {
		return 0, fault.Missing()
	}
	return id, nil
}

// refused reports whether a form comes back for its sender to mend: what was
// filled in breaks a rule, or a name in it is taken.
func refused(err error) *fault.Error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Code == notOurs {
		return nil
	}
	if f.Kind == fault.Invalid || f.Kind == fault.Conflict && len(f.Fields) > 0 {
		return f
	}
	return nil
}

// problems words a failure for the form that it comes back with.
func problems(f *fault.Error) views.Problems {
	said := views.Problems{Text: f.Text, Fields: map[string]string{}}
	for field, sentences := range f.Fields {
		said.Fields[field] = strings.Join(sentences, " ")
	}
	return said
}
