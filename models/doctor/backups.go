package doctor

import (
	"context"
	"time"

	"dispo/models/backup/record"
)

// backups looks at the newest backup, and the newest that were checked.
func (d *doctor) backups(ctx context.Context, f *findings) error {
	if d.Backups == "" {
		f.warn("Set it to the folder of your backups, or see by other means that there are some.",
			"not checked, because DISPO_BACKUPS is not set")
		return nil
	}
	found, err := record.Find(ctx, folderLimit, d.Backups)
	if err != nil {
		f.fail("Correct DISPO_BACKUPS.", "The backups cannot be seen: %v.", err)
		return nil
	}
	for _, one := range []struct {
		backup   record.Backup
		age      time.Duration
		what, do string
	}{
		{found.Newest, 26 * time.Hour, "backup", "See why the daily `dispo backup` does not run."},
		{found.Checked, 2 * 24 * time.Hour, "backup whose checksums were compared", "See why the daily `dispo backup check --quick` does not run."},
		{found.Whole, 9 * 24 * time.Hour, "backup that was restored to check it", "See why the weekly `dispo backup check` does not run."},
	} {
		switch age := time.Since(one.backup.At); {
		case one.backup.Path == "":
			f.warn(one.do, "There is no %s in %s.", one.what, d.Backups)
			if found.Newest.Path == "" {
				return nil
			}
		case age > one.age:
			f.warn(one.do, "The newest %s, %s, is %d hours old.", one.what, one.backup.Path, int(age.Hours()))
		default:
			f.ok("the newest %s, %s, is %d hours old", one.what, one.backup.Path, int(age.Hours()))
		}
	}
	return nil
}
