// Shows the OpenAPI document with Swagger UI. The key is in this page's memory only: it
// is never stored, and never in an address.

const place = document.getElementById('reference')
const nothing = () => null

// The guides say what the document's description says, and the field above takes the key.
const ownParts = {
  wrapComponents: {
    InfoContainer: () => nothing,
    ServersContainer: () => nothing,
    SchemesContainer: () => nothing,
    authorizeBtn: () => nothing,
    authorizeOperationBtn: () => nothing,
  },
}

const ui = SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  plugins: [() => ownParts],
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  defaultModelRendering: 'model',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  syntaxHighlight: { activated: false },
  validatorUrl: null,
  onComplete: ready,
})

function ready() {
  const field = document.getElementById('console-field')
  const input = document.getElementById('console-key')
  const use = () => {
    const key = input.value.trim()
    if (key) ui.preauthorizeApiKey('apiKey', key)
    else ui.authActions.logout(['apiKey'])
  }
  input.addEventListener('input', use)
  field.hidden = false
}
