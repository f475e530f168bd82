package value

// Problem is one reason why a text cannot be accepted, said so that its author
// can mend it: where it is and what to do (marketplace V7).
type Problem struct {
	Pointer string `json:"pointer"` // JSON Pointer (RFC 6901) into the document
	Line    int    `json:"line"`    // from 1; 0 when the problem has no place in the text
	Column  int    `json:"column"`  // from 1, in characters
	Length  int    `json:"length"`  // of the marked text in characters, 0 when unknown
	Message string `json:"message"` // a sentence for people
	Rule    string `json:"rule"`    // the rule that is broken, such as "V1"

	// Path leads through the error tree of NetOrca's clients: team,
	// application, service, item, field; it may stop at any level.
	Path []string `json:"-"`
}

// MaxProblems is how many problems an answer lists at most; the full count is
// always told beside them (marketplace section 4).
const MaxProblems = 200
