package main

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// take goes to the page of a shot and takes its picture.
func (s shot) take(tab context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(tab, time.Minute)
	defer cancel()
	if err := s.pose(ctx, address); err != nil {
		return nil, err
	}
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return nil, err
	}
	return pack(picture)
}

func (s shot) pose(ctx context.Context, address string) error {
	if err := s.dress(ctx); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(address+s.path)); err != nil {
		return err
	}
	if s.link != "" {
		find := fmt.Sprintf(`document.querySelector("#list a[href^='%s']")?.href ?? ""`, s.link)
		to, err := chromedp.Run(ctx, chromedp.Evaluate[string](find))
		if err != nil {
			return err
		}
		if err := chromedp.Do(ctx, chromedp.Navigate(strings.TrimSuffix(to, "/overview")+s.tab)); err != nil {
			return fmt.Errorf("follow %q: %w", s.link, err)
		}
	}
	return chromedp.Do(ctx, s.do...)
}

// dress sets the theme and the width.
func (s shot) dress(ctx context.Context) error {
	theme, width, height := "light", int64(1280), int64(720)
	if s.dark {
		theme = "dark"
	}
	if s.slim {
		width, height = 320, 640
	}
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	if err != nil {
		return err
	}
	return chromedp.Do(ctx, chromedp.EmulateViewport(width, height))
}

// pack makes a picture as small as the format allows.
func pack(picture []byte) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	var small bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&small, decoded); err != nil {
		return nil, err
	}
	return small.Bytes(), nil
}

// fill types into the field with this name.
func fill(name, text string) chromedp.Action[chromedp.Void] {
	return chromedp.SendKeys(chromedp.CSS(fmt.Sprintf("main [name=%s]", name)), text)
}

// press types keys wherever the focus is.
func press(keys string) chromedp.Action[chromedp.Void] { return chromedp.KeyEvent(keys) }

// appears waits for something.
func appears(css string) chromedp.Action[chromedp.Void] {
	return chromedp.WaitVisible(chromedp.CSS(css))
}

func signIn(tab context.Context, address, user string) error {
	ctx, cancel := context.WithTimeout(tab, time.Minute)
	defer cancel()
	return chromedp.Do(ctx, chromedp.Navigate(address+"/sign-in"), fill("name", user), fill("password", password+"\r"), appears("header.masthead"))
}
