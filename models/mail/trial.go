package mail

import (
	"context"
	"fmt"
	"net/url"

	"dispo/models/database"
	"dispo/models/i18n"
)

// SendTest sends a mail that says that mail works, and returns the server's answer.
func SendTest(
	ctx context.Context, server Server, from Address, public *url.URL, recipient string,
) (answer string, err error) {
	content, err := compose(i18n.English, "test", Details{"recipient": recipient}, nil, public.String())
	if err != nil {
		return "", err
	}
	message, err := newMessage(from, recipient, database.NewID(), content)
	if err != nil {
		return "", err
	}
	how, answer, _ := server.send(ctx, message)
	if how != sent {
		return "", fmt.Errorf("%s did not accept the mail: %s", server, answer)
	}
	return answer, nil
}
