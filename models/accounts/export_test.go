package accounts

// HashByLink is hashByLink, whose place in the queue a test looks at.
var HashByLink = (*Accounts).hashByLink
