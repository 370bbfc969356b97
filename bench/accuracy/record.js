// Loaded before a test file runs: records every error that a throw statement of the package throws, or that its own code makes for
// a callback or a rejection. The environment says where: RECORD_ROOT is the package's folder, RECORD_OUT the file that gets a JSON
// object a line (type, message, path relative to RECORD_BASE, line, made, traceback), RECORD_TOOLS the folder that holds the parser.
//
// The package's files are rewritten as they are loaded: `throw e` becomes `throw record(e, line)` on the same line.
'use strict'

const fs = require('fs')
const Module = require('module')
const path = require('path')
const { parse } = require(path.join(process.env.RECORD_TOOLS, 'node_modules', 'acorn'))

const root = fs.realpathSync(process.env.RECORD_ROOT) + path.sep
const base = fs.realpathSync(process.env.RECORD_BASE) + path.sep
const out = fs.openSync(process.env.RECORD_OUT, 'a')
const seen = new WeakSet()

// An error counts where it is made known first: what is thrown again, or made in one place and thrown in another, counts once.
globalThis.__record = function (e, file, line) {
  if (e instanceof Error && !seen.has(e)) {
    seen.add(e)
    const message = String(e.message)
    const where = made(e)
    if (where !== '' && message.length < 4000) { // what a dependency made is not of this package
      const type = (e.constructor && e.constructor.name) || e.name
      fs.writeSync(out, JSON.stringify({ type, message, path: file, line, made: where, traceback: String(e.stack) }) + '\n')
    }
  }
  return e
}

// made is where the error was constructed, as its stack says; '' if that is not in the package's own code.
function made (e) {
  for (const line of String(e.stack).split('\n')) {
    const at = /\(?([^\s()]+):(\d+):\d+\)?$/.exec(line)
    if (!/^\s+at /.test(line) || !at) continue
    const inside = at[1].startsWith(root) && !at[1].slice(root.length).includes('node_modules/')
    return inside ? path.relative(base, at[1]) + ':' + at[2] : ''
  }
  return ''
}

const callbacks = new Set(['reject', 'cb', 'callback', 'next', 'done'])

function rewrite (source, file) {
  const edits = []
  const wrap = (node, line) => {
    edits.push([node.start, '__record('], [node.end, `, ${JSON.stringify(file)}, ${line})`])
  }
  const visit = node => {
    if (!node || typeof node.type !== 'string') return
    if (node.type === 'ThrowStatement') wrap(node.argument, node.loc.start.line)
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && callbacks.has(node.callee.name) &&
        node.arguments.length > 0 && node.arguments[0].type === 'NewExpression') {
      wrap(node.arguments[0], node.arguments[0].loc.start.line)
    }
    for (const key in node) {
      const value = node[key]
      if (Array.isArray(value)) value.forEach(visit)
      else if (value && typeof value === 'object' && key !== 'loc') visit(value)
    }
  }
  visit(parse(source, { ecmaVersion: 'latest', locations: true, allowReturnOutsideFunction: true, allowHashBang: true }))
  edits.sort((a, b) => b[0] - a[0])
  for (const [at, text] of edits) source = source.slice(0, at) + text + source.slice(at)
  return source
}

const compile = Module.prototype._compile
Module.prototype._compile = function (source, name, ...rest) {
  const inside = name.startsWith(root) && name.slice(root.length)
  if (inside && !/(^|\/)(node_modules|tests?)\//.test(inside)) {
    try {
      source = rewrite(source, path.relative(base, name))
    } catch (e) {
      process.stderr.write(`not recorded: ${name}: ${e.message}\n`)
    }
  }
  return compile.call(this, source, name, ...rest)
}
