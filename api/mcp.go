package api

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dispo/models"
)

const (
	mcpMaximum  = 64 << 10 // bytes of a message
	mcpCallTool = "tools/call"

	// mcpFreePerMinute limits the messages from an address that no organization's limit counts.
	// A client that begins sends three.
	mcpFreePerMinute = 120
)

// mcpMethods are what clients may call. The SDK has more: the response to subscriptions/listen
// would never end.
var mcpMethods = []string{"initialize", "ping", "server/discover", "tools/list", mcpCallTool}

var (
	errOnlyPost = &failure{status: fiber.StatusMethodNotAllowed, Code: codeMethod, allow: fiber.MethodPost,
		Message: "This is the MCP server, which opens no stream: use POST."}
	errForeignOrigin = &failure{status: fiber.StatusForbidden, Code: "FORBIDDEN",
		Message: "The request comes from another site's page: call the MCP server from a program."}
	errTwoKeys   = models.NewError(models.KindInvalid, "The request has two different keys: send one.")
	errBatch     = models.NewError(models.KindInvalid, "The body is not one JSON-RPC message: batches are not accepted.")
	errMCPMethod = models.NewError(models.KindInvalid, "This server has no such method: it only has tools.")
)

// serveMCP adds the MCP server (Model Context Protocol, Streamable HTTP) to an application. It
// keeps no session, and its tools read as the API does.
func (h *handler) serveMCP(app *fiber.App) {
	tools := h.newTools()
	server := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tools },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	app.All("/mcp", h.observe, h.checkMCP, h.authenticate, h.countMessage, answerMessage(server))
}

// checkMCP refuses other methods than POST, and what a browser sends for another site's page. It
// takes the key from Authorization, where MCP clients put it, to X-API-Key.
func (h *handler) checkMCP(c *fiber.Ctx) error {
	if c.Method() != fiber.MethodPost {
		return errOnlyPost
	}
	if origin := c.Get(fiber.HeaderOrigin); origin != "" && !strings.EqualFold(origin, h.Origin) {
		return errForeignOrigin
	}
	header := &c.Request().Header
	for _, line := range header.PeekAll(fiber.HeaderAuthorization) {
		scheme, token, _ := strings.Cut(string(line), " ")
		token = strings.TrimSpace(token)
		sent := header.PeekAll(headerKey)
		switch {
		case !strings.EqualFold(scheme, "Bearer"):
		case len(sent) == 0:
			header.Set(headerKey, token)
		case strings.TrimSpace(string(sent[0])) != token:
			return errTwoKeys
		}
	}
	return c.Next()
}

// countMessage counts a call of a tool as a request of its organization, and any other message
// by its address.
func (h *handler) countMessage(c *fiber.Ctx) error {
	body := c.Request().Body()
	if len(body) > mcpMaximum {
		return fiber.ErrRequestEntityTooLarge
	}
	message, err := jsonrpc.DecodeMessage(body) // as the SDK does, so that both see the same method
	if err != nil || bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		return errBatch
	}
	call, _ := message.(*jsonrpc.Request)
	if call != nil && call.Method == mcpCallTool {
		return h.limit(c)
	}
	retryAfter, allowed := h.Limits.TakeFrom(context.Background(), requestOf(c).Address, "mcp", mcpFreePerMinute)
	if !allowed {
		return &failure{status: fiber.StatusTooManyRequests, Code: codeRateLimit, RetryAfter: retryAfter,
			Message: "Too many messages came from this address: wait for the number of seconds in retryAfter."}
	}
	if call != nil && call.IsCall() && !slices.Contains(mcpMethods, call.Method) {
		return errMCPMethod
	}
	return c.Next()
}

// answerMessage answers with what the SDK does, unless a tool has failed, or the SDK refuses the
// message with a line of text.
func answerMessage(server http.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		r := requestOf(c)
		// The SDK must not give up on a call, which uses r until it ends.
		ctx := context.WithValue(context.Background(), requestKey{}, r)
		err := adaptor.HTTPHandlerFunc(func(w http.ResponseWriter, message *http.Request) {
			server.ServeHTTP(w, message.WithContext(ctx))
		})(c)
		status, text := c.Response().StatusCode(), strings.TrimSpace(string(c.Response().Body()))
		if err == nil && r.failed == nil && status >= 400 && !strings.HasPrefix(text, "{") {
			return &failure{status: status, Code: codeBadRequest, Message: text}
		}
		return cmp.Or(err, r.failed)
	}
}
