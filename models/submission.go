package models

import (
	"time"

	"gorm.io/gorm"
)

// Submission is one accepted declaration, with who, when, commit id, comment
// and the change instances it generated.
type Submission struct {
	ID                 int64
	TeamID             int64
	UserID             *int64 // nil for an API key
	SubmittedBy        string // user, or "<key name> (Api Key)"
	Via                string // portal or api
	CommitID           string
	Comment            string
	Yaml               bool
	Partial            bool
	Applications       string // the scope, a JSON array; empty for the whole team
	ConfirmedDeletes   int
	DeclarationVersion int64 // of the team after this submission
	Creates            int   // own-lane changes with a cause of their own
	Modifies           int
	Deletes            int
	Referenced         int
	Dependent          int
	Withdrawn          int
	PreviewID          *string
	Created            time.Time
}

// SubmissionText is the text of a submission, byte for byte (marketplace M6).
type SubmissionText struct {
	SubmissionID int64 `gorm:"primaryKey"`
	Text         []byte
}

// Preview is a stored plan with the base it was computed on (lifecycle T2).
type Preview struct {
	ID             string
	TeamID         int64
	CreatedBy      string
	Text           []byte
	Yaml           bool
	Partial        bool
	Applications   string
	BaseVersion    int64
	SchemaVersions string // JSON: service name → version
	Plan           string // the plan as JSON, as it was shown
	Live           bool   // made while somebody typed; only the newest few are kept
	Created        time.Time
	Expires        time.Time
}

// SubmissionQuery narrows a list of submissions of a team.
type SubmissionQuery struct {
	Team     int64
	CommitID string
	By       string
	Search   string // part of the comment or commit id, ignoring case
	Page     Page
}

// Submissions lists a team's submissions, newest first, and counts them.
func Submissions(tx *gorm.DB, q SubmissionQuery) ([]Submission, int64, error) {
	list := tx.Model(&Submission{}).Where("team_id = ?", q.Team)
	if q.CommitID != "" {
		list = list.Where("commit_id = ?", q.CommitID)
	}
	if q.By != "" {
		list = list.Where("submitted_by = ?", q.By)
	}
	if q.Search != "" {
		list = list.Where(`(lower(comment) LIKE ? ESCAPE '\' OR lower(commit_id) LIKE ? ESCAPE '\')`, like(q.Search), like(q.Search))
	}
	return page[Submission](list, q.Page, "id DESC")
}

// SubmissionByID finds a submission of a team.
func SubmissionByID(tx *gorm.DB, team, id int64) (submission Submission, err error) {
	return submission, found(tx.Where("id = ? AND team_id = ?", id, team).Take(&submission).Error)
}

// SubmissionsByID finds many submissions at once, by their ids.
func SubmissionsByID(tx *gorm.DB, ids []int64) (map[int64]Submission, error) {
	return byID(tx, ids, func(s Submission) int64 { return s.ID })
}

// NewestSubmission finds the newest submission of a team.
func NewestSubmission(tx *gorm.DB, team int64) (submission Submission, err error) {
	return submission, found(tx.Where("team_id = ?", team).Order("id DESC").Take(&submission).Error)
}

// TextOf finds the text of a submission.
func TextOf(tx *gorm.DB, submission int64) (text SubmissionText, err error) {
	return text, found(tx.Where("submission_id = ?", submission).Take(&text).Error)
}

// PreviewByID finds a preview of a team.
func PreviewByID(tx *gorm.DB, team int64, id string) (preview Preview, err error) {
	return preview, found(tx.Where("id = ? AND team_id = ?", id, team).Take(&preview).Error)
}

// Progress counts the changes of these submissions by state.
func Progress(tx *gorm.DB, submissions []int64) (map[int64]map[string]int, error) {
	var rows []struct {
		SubmissionID int64
		State        string
		N            int
	}
	err := WhereIDs(tx.Model(&ChangeInstance{}).Select("submission_id, state, count(*) AS n"), "submission_id", submissions).
		Group("submission_id, state").Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	keyed := map[int64]map[string]int{}
	for _, row := range rows {
		if keyed[row.SubmissionID] == nil {
			keyed[row.SubmissionID] = map[string]int{}
		}
		keyed[row.SubmissionID][row.State] = row.N
	}
	return keyed, nil
}

// LivePreviews is how many live previews of one actor are kept for a team.
const LivePreviews = 20

// TrimPreviews drops the live previews of an actor that newer ones have taken
// the place of, and all that the team's members let expire long ago.
func TrimPreviews(tx *gorm.DB, team int64, by string, forgotten time.Time) error {
	newest := tx.Model(&Preview{}).Select("id").Where("team_id = ? AND created_by = ? AND live", team, by).Order("created DESC, id DESC").Limit(LivePreviews)
	return tx.Where("team_id = ? AND ((created_by = ? AND live AND id NOT IN (?)) OR expires < ?)", team, by, newest, forgotten).Delete(&Preview{}).Error
}
