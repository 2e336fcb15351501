// Shows the OpenAPI document with Swagger UI. The key is in this page's memory only: it
// is never stored, and never in an address.

const place = document.getElementById('reference')

// What Swagger UI shows in its own way, shown in the dashboard's. A few of its parts are
// left out: the guides say what the document's description says, the field above takes
// the key, and headings need no links.
const ownParts = ({ React, fn }) => {
  const h = React.createElement
  const nothing = () => () => null
  let count = 0

  function Code({ text }) {
    const id = React.useMemo(() => 'reference-code-' + ++count, [])
    return h('div', { className: 'code-box' },
      h('button', { type: 'button', className: 'quiet', 'data-copy': id }, 'Copy'),
      h('pre', { className: 'code', tabIndex: 0 }, h('code', { id }, text)))
  }

  // The command shows where the key goes, not the key, which somebody might look at.
  function Command({ request }) {
    const text = fn.requestSnippetGenerator_curl_bash(request)
    return h('div', null, h('h4', null, 'The request with curl'),
      h(Code, { text: text.replace(/'X-API-Key: [^']*'/, '"X-API-Key: $DISPO_KEY"') }))
  }

  const labeled = (label) => (Original) => (props) =>
    h('label', null, h('span', { className: 'visually-hidden' }, label), h(Original, props))

  return {
    wrapComponents: {
      InfoContainer: nothing,
      ServersContainer: nothing,
      SchemesContainer: nothing,
      authorizeBtn: nothing,
      authorizeOperationBtn: nothing,
      curl: () => Command,
      HighlightCode: () => ({ children }) => h(Code, { text: children }),
      DeepLink: () => ({ text }) => h('span', null, text),
      ExamplesSelect: labeled('Example'),
    },
  }
}

const description = await (await fetch(place.dataset.document)).json()

// prepare returns a part of the description as the console needs it. The examples of
// parameters belong to no real data, so the console does not start with them. A shared
// parameter stands in its place, because Swagger UI shows an operation that the page's
// address opens without waiting for what it refers to.
function prepare(value) {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(prepare)
  const [, shared] = value.$ref?.match(/^#\/components\/parameters\/(.+)/) ?? []
  if (shared) return prepare(description.components.parameters[shared])
  const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, prepare(part)]))
  if ('in' in copy && 'name' in copy) {
    delete copy.example
    delete copy.examples
  }
  return copy
}

const ui = SwaggerUIBundle({
  domNode: place,
  spec: prepare(description),
  plugins: [ownParts],
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  syntaxHighlight: { activated: false },
  validatorUrl: null,
  onComplete: takeKey,
})

function takeKey() {
  const field = document.getElementById('console-field')
  const input = document.getElementById('console-key')
  input.addEventListener('input', () => {
    const key = input.value.trim()
    if (key) ui.preauthorizeApiKey('apiKey', key)
    else ui.authActions.logout(['apiKey'])
  })
  field.hidden = false
}

// The browser may keep the page as it is, to show it again on going back.
addEventListener('pageshow', (event) => { if (event.persisted) location.reload() })
