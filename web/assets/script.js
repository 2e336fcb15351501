// Everything works without this script. With it, times are the reader's own, text
// is copied by a button, and the rotation of a key shows what happens by itself.

const byId = (id) => document.getElementById(id)
document.documentElement.classList.add('scripted')

// Times

const languages = navigator.languages
const form = (options) => new Intl.DateTimeFormat(languages, options)
const forms = {
  at: form({ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }),
  day: form({ year: 'numeric', month: 'short', day: 'numeric' }),
  date: form({ year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' }),
  clock: form({ hour: 'numeric', minute: '2-digit' }),
  exact: form({ dateStyle: 'long', timeStyle: 'long' }),
}
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
const units = [['year', 31536e3], ['month', 2592e3], ['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]]

// The server's clock counts, where this one is wrong.
const wrong = Date.now() - Date.parse(document.documentElement.dataset.now)

function since(then) {
  const seconds = (Date.now() - wrong - then) / 1000
  if (seconds < 5) return 'just now'
  const [unit, length] = units.find(([, length]) => seconds >= length)
  return relative.format(-Math.floor(seconds / length), unit)
}

function localTimes(root) {
  for (const element of root.querySelectorAll('time[data-time]')) {
    const kind = element.dataset.time
    const then = new Date(element.dateTime)
    if (isNaN(then)) continue
    const text = kind === 'ago' ? since(then) : forms[kind].format(then)
    if (element.textContent !== text) element.textContent = text
    if (kind === 'date') element.title = element.dateTime
    else element.title = forms.exact.format(then) + '\n' + element.dateTime
  }
  for (const element of root.querySelectorAll('[data-hour]')) {
    element.textContent = forms.clock.format(new Date(element.dataset.hour))
  }
}

localTimes(document)
setInterval(() => localTimes(document), 15_000)

// What is said to screen readers

function announce(text) {
  byId('announce').textContent = ''
  setTimeout(() => { byId('announce').textContent = text }, 50)
}

// Buttons that only a script can serve

function enliven(root) {
  for (const button of root.querySelectorAll('[data-copy], [data-reveal]')) button.hidden = false
}

enliven(document)

async function copy(button) {
  const source = byId(button.dataset.copy)
  const text = 'value' in source ? source.value : source.textContent
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // No permission, or no secure connection: the old way.
    if ('select' in source) source.select()
    else getSelection().selectAllChildren(source)
    if (!document.execCommand('copy')) {
      announce('Copying is not allowed here. The text is selected.')
      return
    }
  }
  button.dataset.label ??= button.textContent
  button.textContent = 'Copied'
  announce('Copied')
  clearTimeout(button.timer)
  button.timer = setTimeout(() => { button.textContent = button.dataset.label }, 3000)
}

function reveal(button) {
  const field = byId(button.dataset.reveal)
  const shown = field.type === 'text'
  field.type = shown ? 'password' : 'text'
  button.textContent = shown ? 'Show' : 'Hide'
  button.setAttribute('aria-pressed', String(!shown))
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy], [data-reveal]')
  if (button?.dataset.copy) copy(button)
  if (button?.dataset.reveal) reveal(button)
})

// Text that is there to be copied is selected whole.
document.addEventListener('focusin', (event) => {
  if (event.target.matches('.copyable textarea')) event.target.select()
})

// A form is sent once, and says so where that takes its time.
document.addEventListener('submit', (event) => {
  const sent = event.target
  if (sent.method !== 'post') return
  if (sent.dataset.sent) {
    event.preventDefault()
    return
  }
  sent.dataset.sent = 'yes'
  setTimeout(() => { event.submitter?.setAttribute('aria-busy', 'true') }, 400)
})
addEventListener('pageshow', (event) => {
  if (!event.persisted) return
  for (const sent of document.querySelectorAll('[data-sent]')) delete sent.dataset.sent
  for (const button of document.querySelectorAll('[aria-busy]')) button.removeAttribute('aria-busy')
})

// The rotation of a key

const rotation = byId('rotation')
if (rotation?.dataset.poll) watch(rotation)

function watch(rotation) {
  const started = Date.now()
  const shown = new Map()
  let timer

  const next = () => {
    clearTimeout(timer)
    if (!rotation.dataset.poll || document.hidden) return
    timer = setTimeout(look, Date.now() - started < 600_000 ? 2000 : 10_000)
  }

  async function look() {
    try {
      const answer = await fetch(rotation.dataset.poll, { cache: 'no-store', headers: { Accept: 'text/html' } })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const fresh = page.getElementById('rotation')
      // Signed out meanwhile, or the key is gone: the page itself knows what to say.
      if (answer.ok && !fresh || answer.status === 403 || answer.status === 404) {
        // But not over a key that would be gone, and not for ever.
        const again = performance.getEntriesByType('navigation')[0]?.type === 'reload'
        if (!again && !rotation.querySelector('[data-once]')) location.reload()
        return
      }
      if (fresh) update(fresh)
    } catch {
      // The network is away: look again.
    }
    next()
  }

  function update(fresh) {
    rotation.dataset.poll = fresh.dataset.poll
    for (const step of fresh.querySelectorAll('.step')) {
      const present = byId(step.id)
      const text = step.outerHTML.replace(/>[^<>]*<\/time>/g, '></time>')
      const changed = shown.has(step.id) ? shown.get(step.id) !== text : step.className !== present.className || step.id > 'step-2'
      shown.set(step.id, text)
      if (!changed) continue
      if (present.dataset.once !== undefined) {
        // The new key stands here and can't be had again.
        present.className = step.className
        present.querySelector('.marker').replaceWith(step.querySelector('.marker'))
        present.querySelector('summary .soft').replaceWith(step.querySelector('summary .soft'))
        continue
      }
      const focus = present.contains(document.activeElement) ? document.activeElement : null
      const same = step.className === present.className
      if (same) step.querySelector('details').open = present.querySelector('details').open
      present.replaceWith(step)
      localTimes(step)
      enliven(step)
      if (focus) {
        const again = [...step.querySelectorAll('a, button, summary')].find((e) => e.textContent === focus.textContent)
        ;(again ?? step.querySelector('summary')).focus()
      }
    }
    const news = fresh.querySelector('#rotation-news')
    const present = byId('rotation-news')
    present.className = news.className
    if (present.textContent !== news.textContent) present.textContent = news.textContent
  }

  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && rotation.dataset.poll) look()
  })
  next()
}
