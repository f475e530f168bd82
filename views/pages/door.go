package pages

// SetUp is the form of the first run.
type SetUp struct {
	Key              string
	Code, Name, Team string
	Problems         Problems
}

// SignIn is the form at the door.
type SignIn struct {
	Key, Next string
	Problem   string
}
