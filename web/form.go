package web

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/portolan/portolan/fault"
)

// formFields is how many fields one form may have.
const formFields = 5000

// FormValues are the fields of a submitted form, their text exactly as it was
// sent.
type FormValues struct{ values map[string][]string }

// Form reads an urlencoded body.
func Form(c *fiber.Ctx) (FormValues, error) {
	form := FormValues{map[string][]string{}}
	if err := takes(c, []string{FormType}); err != nil {
		return form, err
	}
	body, err := Body(c)
	if err != nil {
		return form, err
	}
	fields := 0
	bad, ok := pairs(string(body), func(name, value string) {
		if fields++; fields <= formFields {
			form.values[name] = append(form.values[name], value)
		}
	})
	if !ok {
		return form, fault.Field(bad, "This is not percent-encoded correctly.")
	}
	if fields > formFields {
		return form, fault.New(fault.TooLarge, "A form has at most %d fields.", formFields)
	}
	return form, nil
}

// Text returns the last value of a field, nothing if there is none.
func (f FormValues) Text(name string) string { return last(f.values[name]) }

// All returns each value of a field that was sent several times.
func (f FormValues) All(name string) []string { return f.values[name] }

// Has reports whether a field was sent, as a ticked box is.
func (f FormValues) Has(name string) bool { return len(f.values[name]) > 0 }

// Number returns a field that has to be a whole number.
func (f FormValues) Number(name string) (int64, error) {
	n, err := strconv.ParseInt(f.Text(name), 10, 64)
	if err != nil {
		return 0, fault.Field(name, "A whole number is needed here.")
	}
	return n, nil
}

// Numbers returns a field of whole numbers that may be sent several times,
// such as the ids of ticked rows.
func (f FormValues) Numbers(name string) ([]int64, error) {
	numbers := make([]int64, 0, len(f.values[name]))
	for _, value := range f.values[name] {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, fault.Field(name, "Whole numbers are needed here.")
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

func last(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}
