// Every page works without this script. It keeps relative times up to date, makes the
// copy buttons work, and updates what shows the use of keys. Its texts are in the page.

const byId = (id) => document.getElementById(id)
document.documentElement.classList.add('scripted')

// Times

// The server writes all times. Relative ones are kept up to date here.
const relative = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'always' })
const units = [['year', 31536e3], ['month', 2592e3], ['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]]
const texts = byId('announce').dataset

// They follow the server's clock, because this one may be wrong.
const clockOffset = Date.now() - Date.parse(document.documentElement.dataset.now)

function timeAgo(then) {
  const seconds = (Date.now() - clockOffset - then) / 1000
  if (seconds < 5) return texts.justNow
  const [unit, length] = units.find(([, length]) => seconds >= length)
  return relative.format(-Math.floor(seconds / length), unit)
}

function updateTimes(root) {
  for (const element of root.querySelectorAll('time[data-time=ago]')) {
    const then = Date.parse(element.dateTime)
    if (isNaN(then) || element.closest('.lost')) continue
    const text = timeAgo(then)
    if (element.textContent !== text) element.textContent = text
  }
}

updateTimes(document)
setInterval(() => updateTimes(document), 15_000)

// Announcements to screen readers

function announce(text) {
  byId('announce').textContent = ''
  setTimeout(() => { byId('announce').textContent = text }, 50)
}

// Buttons that need the script

function showScriptButtons(root) {
  for (const button of root.querySelectorAll('[data-copy], [data-reveal], [data-print]')) button.hidden = false
}

showScriptButtons(document)

async function copy(button) {
  const source = byId(button.dataset.copy)
  const text = 'value' in source ? source.value : source.textContent
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // No permission, or not a secure context. Use the older API.
    if ('select' in source) source.select()
    else getSelection().selectAllChildren(source)
    if (!document.execCommand('copy')) {
      announce(texts.copyManually)
      return
    }
  }
  source.closest('[data-leave]')?.removeAttribute('data-leave')
  button.dataset.label ??= button.textContent
  button.textContent = texts.copied
  announce(texts.copied)
  clearTimeout(button.timer)
  button.timer = setTimeout(() => { button.textContent = button.dataset.label }, 3000)
}

function reveal(button) {
  const field = byId(button.dataset.reveal)
  const shown = field.type === 'text'
  field.type = shown ? 'password' : 'text'
  button.dataset.show ??= button.textContent
  button.textContent = shown ? button.dataset.show : button.dataset.hide
  button.setAttribute('aria-pressed', String(!shown))
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy], [data-reveal], [data-print]')
  if (button?.dataset.copy) copy(button)
  if (button?.dataset.reveal) reveal(button)
  if (button?.dataset.print !== undefined) print()
})

// A slash goes to the field that finds anything. The profile turns that off in a browser
// (WCAG 2.1.4), by a cookie, because signing out clears the storage.
const hasSlash = () => !document.cookie.split('; ').includes('dispo_slash=off')
const showSlash = () => document.documentElement.classList.toggle('slash', hasSlash())
showSlash()
if (byId('slash')) {
  byId('keyboard').hidden = false
  byId('slash').checked = hasSlash()
  byId('slash').addEventListener('change', (event) => {
    document.cookie = `dispo_slash=${event.target.checked ? 'on' : 'off'}; path=/; max-age=31536000; samesite=lax`
    showSlash()
  })
}
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || !hasSlash() || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select') || !byId('find')) return
  event.preventDefault()
  byId('find').select()
})

// Focusing text to copy selects all of it.
document.addEventListener('focusin', (event) => {
  if (event.target.matches('.copyable textarea')) event.target.select()
})

// A page that answers a form and shows something once takes another path in the
// history. Going back or reloading then does not ask whether to send the form again.
const once = document.querySelector('[data-history]')
if (once) {
  history.replaceState(null, '', once.dataset.history)
  // The browser may keep the page as it is, to show it again on going back.
  addEventListener('pagehide', () => byId('main').remove())
  addEventListener('pageshow', (event) => { if (event.persisted) location.reload() })
}

// A page with a new key asks before a link, or a form beside the page's own, leaves it, unless
// the key was copied.
document.addEventListener('copy', (event) => event.target.closest?.('[data-leave]')?.removeAttribute('data-leave'))

function keepKey(event) {
  const question = document.querySelector('[data-leave]')?.dataset.leave
  if (question && !confirm(question)) event.preventDefault()
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href]:not([href^="#"], [data-copied])')
  if (link && !(event.ctrlKey || event.metaKey || event.shiftKey)) keepKey(event)
})
document.addEventListener('submit', (event) => { if (event.target.closest('header')) keepKey(event) })

// Switching the language keeps what was typed, but no passwords, codes or keys.
const typed = JSON.parse(sessionStorage.getItem('typed') ?? '{}')
sessionStorage.removeItem('typed')
for (const [name, field] of typedFields()) {
  if (!(name in typed)) continue
  if (field.matches('[type=radio], [type=checkbox]')) field.checked = typed[name]
  else field.value = typed[name]
}

function typedFields() {
  const plain = 'main form:not([action$="/language"]) :is(input:not([type=hidden], [type=password]), select, textarea:not([readonly]))'
  return [...document.querySelectorAll(plain)].filter((field) => field.name && !/password|confirmation|code|secret/.test(field.name))
    .map((field) => [[field.form.getAttribute('action'), field.name, field.matches('[type=radio], [type=checkbox]') && field.value].join(' '), field])
}

document.addEventListener('submit', (event) => {
  if (event.defaultPrevented || !event.target.getAttribute('action').endsWith('/language')) return
  const kept = typedFields().map(([name, field]) => [name, field.matches('[type=radio], [type=checkbox]') ? field.checked : field.value])
  sessionStorage.setItem('typed', JSON.stringify(Object.fromEntries(kept.filter(([, value]) => !/dispo_/.test(value)))))
})

// Forms are sent only once, except for downloads, which leave the page as it is. A slow
// one marks its button as busy.
document.addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented || form.method !== 'post' || form.dataset.download !== undefined) return
  if (form.dataset.sent) {
    event.preventDefault()
    return
  }
  form.dataset.sent = 'yes'
  setTimeout(() => { event.submitter?.setAttribute('aria-busy', 'true') }, 400)
})
// Going back in the history may show a page whose form was sent.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return
  for (const form of document.querySelectorAll('[data-sent]')) delete form.dataset.sent
  for (const button of document.querySelectorAll('[aria-busy]')) button.removeAttribute('aria-busy')
})

// A chart is one stop for Tab. Arrow keys move inside. A drawing that listens to the focus
// would get it itself, so what is around it listens.
for (const chart of document.querySelectorAll('.chart.linked')) {
  const bars = [...chart.querySelectorAll('a.bar')]
  const stopAt = (bar) => { for (const b of bars) b.setAttribute('tabindex', b === bar ? '0' : '-1') }
  stopAt(bars.at(-1))
  chart.addEventListener('focusin', (event) => stopAt(event.target.closest('a.bar')))
  chart.addEventListener('keydown', (event) => {
    const at = bars.indexOf(document.activeElement)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key]
    if (!bars[to] || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    bars[to].focus()
  })
}

// How keys are used

// Pages that show it refresh the parts that do, for ten minutes.
const live = () => document.querySelectorAll('[data-live]')
if (live().length) refreshLater(Date.now())

function refreshLater(started) {
  setTimeout(async () => {
    if (!document.hidden && getSelection().isCollapsed) await refresh()
    if (Date.now() - started < 600_000) refreshLater(started)
  }, 10_000)
}

async function refresh() {
  try {
    const response = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    for (const part of live()) {
      const latest = page.getElementById(part.id)
      if (!latest || part.contains(document.activeElement)) continue
      const details = latest.querySelectorAll('details')
      part.querySelectorAll('details').forEach((old, i) => { if (details[i]) details[i].open = old.open })
      part.replaceWith(latest)
      updateTimes(latest)
    }
  } catch {
    // The network failed. The page says until when it knows.
  }
}

// Key rotation

const rotation = byId('rotation')
if (rotation?.dataset.poll) watch(rotation)

function watch(rotation) {
  const started = Date.now()
  const known = new Map() // the HTML of each step, as last received
  let failures = 0 // since the last answer
  let timer

  const schedule = () => {
    clearTimeout(timer)
    if (!rotation.dataset.poll || document.hidden) return
    timer = setTimeout(poll, Date.now() - started < 600_000 ? 2000 : 10_000)
  }

  async function poll() {
    let latest
    try {
      const signal = AbortSignal.timeout(10_000)
      const response = await fetch(rotation.dataset.poll, { cache: 'no-store', headers: { Accept: 'text/html' }, signal })
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      latest = page.getElementById('rotation')
      // The user was signed out or the key is gone. Reload, so that the page says which.
      if (response.ok && !latest || response.status === 403 || response.status === 404) {
        // But keep a new key on the screen, and do not reload forever.
        const reloaded = performance.getEntriesByType('navigation')[0]?.type === 'reload'
        if (!reloaded && !rotation.querySelector('[data-once]')) location.reload()
        return
      }
    } catch {
      // The network failed. Try again.
    }
    if (latest) update(latest)
    failures = latest ? 0 : failures + 1
    rotation.classList.toggle('lost', failures > 2)
    byId('rotation-lost').hidden = failures < 3
    if (failures === 3) announce(byId('rotation-lost').textContent)
    schedule()
  }

  function update(latest) {
    rotation.dataset.poll = latest.dataset.poll
    for (const step of latest.querySelectorAll('.step')) {
      const current = byId(step.id)
      const html = step.outerHTML.replace(/>[^<>]*<\/time>/g, '></time>')
      const changed = known.has(step.id) ? known.get(step.id) !== html : step.className !== current.className || step.id > 'step-2'
      known.set(step.id, html)
      if (!changed) continue
      if (current.dataset.once !== undefined) {
        // This step shows the new key, which the server never sends again.
        current.className = step.className
        current.querySelector('.marker').replaceWith(step.querySelector('.marker'))
        current.querySelector('summary .soft').replaceWith(step.querySelector('summary .soft'))
        const callers = step.querySelector('[data-callers]')
        current.querySelector('[data-callers]').replaceWith(callers)
        updateTimes(callers)
        continue
      }
      const focused = current.contains(document.activeElement) ? document.activeElement : null
      if (step.className === current.className) {
        const before = current.querySelectorAll('details')
        step.querySelectorAll('details').forEach((details, i) => (details.open = before[i]?.open ?? details.open))
      }
      current.replaceWith(step)
      updateTimes(step)
      showScriptButtons(step)
      if (focused) {
        const replacement = [...step.querySelectorAll('a, button, summary')].find((e) => e.textContent === focused.textContent)
        ;(replacement ?? step.querySelector('summary')).focus()
      }
    }
    for (const id of ['rotation-lead', 'rotation-end', 'rotation-lost']) {
      const part = latest.querySelector('#' + id)
      if (part.textContent !== byId(id).textContent) byId(id).replaceWith(part)
    }
    byId('rotation-bar').className = latest.querySelector('#rotation-bar').className
    const news = latest.querySelector('#rotation-news')
    const current = byId('rotation-news')
    if (current.textContent !== news.textContent) current.textContent = news.textContent
  }

  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && rotation.dataset.poll) poll()
  })
  schedule()
}
