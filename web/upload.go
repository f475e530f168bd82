package web

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// uploadLimit is how large an uploaded file may be in bytes (trust H8).
const uploadLimit = 2 << 20

// Upload returns the one file of a multipart body; its name is not looked at.
func Upload(c *fiber.Ctx, field string) ([]byte, error) {
	if err := takes(c, []string{Multipart}); err != nil {
		return nil, err
	}
	body, err := Body(c)
	if err != nil {
		return nil, err
	}
	_, parameters, _ := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	parts := multipart.NewReader(bytes.NewReader(body), parameters["boundary"])
	part, err := parts.NextPart()
	if err != nil || part.FormName() != field {
		return nil, fault.Field(field, "Send one file in this field.")
	}
	file, err := io.ReadAll(io.LimitReader(part, uploadLimit+1))
	if err != nil {
		return nil, fault.Field(field, "The file did not arrive whole.")
	}
	if len(file) > uploadLimit {
		return nil, tooLarge(uploadLimit)
	}
	if _, err := parts.NextPart(); err != io.EOF {
		return nil, fault.Field(field, "Send one file, and nothing else.")
	}
	return file, nil
}
