package catalog

import (
	"context"
	"database/sql"
)

// ErrorUnit says that an error has sites in a unit.
type ErrorUnit struct {
	Error string
	Unit  int64
}

// ErrorUnits lists in which units the errors of a repository have sites.
func (c *Catalog) ErrorUnits(ctx context.Context, repo int64) ([]ErrorUnit, error) {
	return query(ctx, c, `SELECT eu.error, eu.unit FROM error e JOIN error_unit eu ON eu.error = e.id WHERE e.repo = ?`,
		func(r *sql.Rows, v *ErrorUnit) error { return r.Scan(&v.Error, &v.Unit) }, repo)
}
