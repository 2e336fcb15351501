package web

import "dispo/models/terms"

// roleTitle is the role in words. An unknown role is returned as it is.
func (f Frame) roleTitle(role terms.Role) string {
	switch role {
	case terms.Owner:
		return f.T("Owner")
	case terms.Admin:
		return f.T("Admin")
	case terms.Viewer:
		return f.T("Viewer")
	}
	return string(role)
}

// roleRights says what the role allows.
func (f Frame) roleRights(role terms.Role) string {
	switch role {
	case terms.Owner:
		return f.T("can do everything, including making others owners")
	case terms.Admin:
		return f.T("can create and revoke keys, invite and remove members, and change settings")
	}
	return f.T("can see everything but change nothing")
}

// RoleWithArticle is the role as it reads after "is".
func (f Frame) RoleWithArticle(role terms.Role) string {
	switch role {
	case terms.Owner:
		return f.T("an owner")
	case terms.Admin:
		return f.T("an admin")
	}
	return f.T("a viewer")
}

// CompanyStatus is a company's status in words. An unknown status is returned as it is.
func (f Frame) CompanyStatus(status string) string {
	switch status {
	case terms.Created:
		return f.T("Created")
	case terms.Registered:
		return f.T("Registered")
	case terms.Modified:
		return f.T("Modified")
	case terms.Terminated:
		return f.T("Terminated")
	case terms.Rejected:
		return f.T("Rejected")
	}
	return status
}
