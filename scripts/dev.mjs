// Runs the vid command from sources: npm run dev -- [--watch] <command> [flags].
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { buildStaleParts } from './bundle/parts.mjs'
import { path } from './workspaces.mjs'

/** Writing a file raises several events, and an editor that saves all writes several files. */
const QUIET_MS = 100

const words = process.argv.slice(2)
const isWatching = words.length === 0 || words[0] === '--watch'
const command = words[0] === '--watch' ? words.slice(1) : words

const note = (text) => process.stderr.write(`dev: ${text}\n`)

const startCommand = () =>
  spawn(
    process.execPath,
    ['--conditions=development', '--enable-source-maps', path('scripts/dev/command.mjs'), ...command],
    // npm changes the folder; paths in the command mean the one where it was typed.
    { stdio: 'inherit', cwd: process.env.INIT_CWD ?? process.cwd() },
  )

/** Calls `changed` once things have been quiet for a moment after a source was written. */
const watchSources = (changed) => {
  let timer
  const soon = (_event, file) => {
    if (file === null || /node_modules|\bdist\b|\.test\.ts$|tsbuildinfo$/.test(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => changed(file), QUIET_MS)
  }
  for (const folder of ['packages', 'plugins', 'presets']) watch(path(folder), { recursive: true }, soon)
}

const stop = async (child) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

const buildParts = async () => {
  const parts = await buildStaleParts()
  if (parts.length > 0) note(`built ${parts.join(', ')}`)
}

const runOnce = async () => {
  await buildParts()
  const child = startCommand()
  // The terminal's Ctrl+C reaches the command as well; it cleans up and says with which code to end.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [code, signal] = await once(child, 'exit')
  process.exitCode = code ?? (signal === null ? 1 : 128)
}

const runAgainAndAgain = async () => {
  let child
  let turn = Promise.resolve()
  const again = async () => {
    if (child) await stop(child)
    // A source that does not compile is reported, and the next change tries again.
    const failed = await buildParts().then(
      () => undefined,
      (cause) => cause,
    )
    if (failed) return note(`build failed: ${failed.message}`)
    if (command.length > 0) child = startCommand()
  }
  const next = () => {
    turn = turn.then(again)
  }
  watchSources((file) => {
    note(`${file} changed`)
    next()
  })
  note(command.length > 0 ? 'runs again when a source changes' : 'rebuilds the page script when it changes')
  next()
}

await (isWatching ? runAgainAndAgain() : runOnce())
