package api

// RoleWord says how a part came to be a condition, where its text alone would mislead: "passed: " for an early exit that was not
// taken. It is "" where the text says it all.
func RoleWord(role string) string {
	switch role {
	case "handler":
		return "failed: "
	case "exit", "after":
		return "passed: "
	case "loop end":
		return "after: "
	}
	return ""
}
