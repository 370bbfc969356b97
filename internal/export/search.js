// Answers on the home page of an exported site: takes a pasted text, loads the parts of the index that its words name, and lays the
// messages that it finds there along the text. In a browser it serves the form; elsewhere it gives away its functions.
'use strict'

const fnv = s => {
  let h = 2166136261
  for (let i = 0; i < s.length; i++) h = Math.imul(h ^ s.charCodeAt(i), 16777619) >>> 0
  return h
}

// A letter of a script that is written without blanks is a word by itself.
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map(s => `\\p{Script=${s}}`).join('')
const word = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{N}_]){2,}`, 'gu')

const wordsOf = text => [...new Set((text.toLowerCase().match(word) || []))]

// weigh counts the letters and digits of literals: how much a match of them says.
const weigh = pieces => pieces.join('').replace(/[^\p{L}\p{N}]/gu, '').length

// fits lays a message along a line from end to end and returns its values, or null.
const fits = (pieces, line) => {
  if (pieces.length === 1) return line === pieces[0] ? [] : null
  const last = pieces[pieces.length - 1]
  if (!line.startsWith(pieces[0]) || !line.endsWith(last) || line.length < pieces[0].length + last.length) return null
  const values = []
  let at = pieces[0].length
  for (let i = 1; i < pieces.length; i++) {
    const end = i === pieces.length - 1 ? line.length - last.length : line.indexOf(pieces[i], at)
    if (end < at) return null
    values.push(line.slice(at, end))
    at = end + pieces[i].length
  }
  return values
}

// within lays a message along a whole line, or along its end if the message begins with enough text to know where: what loggers write
// before messages has no one form.
const within = (pieces, line) => {
  const values = fits(pieces, line)
  if (values || weigh(pieces.slice(0, 1)) < 4) return values
  const at = line.indexOf(pieces[0], 1)
  return at > 0 && !/[\p{L}\p{N}_]/u.test(line[at - 1]) ? fits(pieces, line.slice(at)) : null
}

// stripped adds a text as it is and without the type, level or time that may stand before the message.
const stripped = (out, text) => {
  for (let n = 0; n < 6 && text !== ''; n++) {
    out.push(text)
    const cut = text.indexOf(': ')
    if (cut < 0 || cut > 200) break
    text = text.slice(cut + 2).trim()
  }
}

// readings are what a text may hold as a message: each of its lines, then what goes from one of its last lines to its end.
const readings = text => {
  const out = []
  const lines = text.slice(0, 100000).trim().split(/\r?\n/).slice(0, 400)
  for (const line of lines) stripped(out, line.trim())
  for (let i = Math.max(0, lines.length - 40); i < lines.length - 1; i++) stripped(out, lines.slice(i).join('\n').trim())
  return out
}

// find returns the errors whose message a text holds, those first that say most; load fetches a part of the index.
const find = async (text, shards, load) => {
  const lines = readings(text)
  const found = new Map()
  const parts = new Map()
  const words = wordsOf(text).slice(0, 60)
  await Promise.all([...new Set(words.map(w => fnv(w) % shards))].map(async n => parts.set(n, await load(n))))
  for (const w of words) {
    const part = parts.get(fnv(w) % shards)
    for (const entry of (Object.hasOwn(part, w) ? part[w] : [])) {
      if (found.has(entry.i) || weigh(entry.p) < 4) continue
      for (const line of lines) {
        const values = within(entry.p, line)
        if (values) {
          found.set(entry.i, { ...entry, values, weight: weigh(entry.p) })
          break
        }
      }
    }
  }
  return [...found.values()].sort((a, b) => b.weight - a.weight || (a.i < b.i ? -1 : 1)).slice(0, 20)
}

const serve = form => {
  const home = new URL('..', document.currentScript.src)
  const box = document.getElementById('report')
  const answer = document.getElementById('answer')
  const json = async name => (await fetch(new URL('search/' + name, home))).json()
  const cache = new Map()
  const load = n => {
    if (!cache.has(n)) cache.set(n, json(n + '.json'))
    return cache.get(n)
  }
  let head, last
  const show = async () => {
    const text = box.value
    if (text === last) return
    last = text
    if (text.trim() === '') return answer.replaceChildren()
    head = head || json('index.json')
    const results = await find(text, (await head).shards, load)
    if (text !== last) return
    if (results.length === 0) {
      const p = document.createElement('p')
      p.className = 'notice'
      p.textContent = 'No message of this site is in the text.'
      return answer.replaceChildren(p)
    }
    const list = document.createElement('ol')
    list.className = 'candidates'
    for (const r of results) {
      const item = document.createElement('li')
      const link = document.createElement('a')
      link.href = new URL('errors/' + r.i + '.html', home)
      link.textContent = r.l
      const code = document.createElement('code')
      code.textContent = r.p.join('…')
      item.append(link, ' ', code)
      list.append(item)
    }
    answer.replaceChildren(list)
  }
  let timer
  box.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(show, 200)
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    show()
  })
}

if (typeof document === 'undefined') {
  module.exports = { find }
} else {
  // Pages other than the home page have no form.
  const form = document.querySelector('form.ask')
  if (form) serve(form)
}
