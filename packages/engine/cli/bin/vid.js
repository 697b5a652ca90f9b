#!/usr/bin/env node
// What comes before the program is loaded must run on every version of Node.
import { existsSync, readFileSync } from 'node:fs'

const say = (code, message, hint) => {
  process.stderr.write(`error ${code}: ${message}\n  hint: ${hint}\n`)
  process.exitCode = 1
}

const load = (program) =>
  import(program.href).catch((error) => {
    if (error?.code !== 'EMFILE' && error?.code !== 'ENFILE') throw error
    const hint = 'allow more, for example with "ulimit -n 1024" in this shell, and run again'
    say('VID_OPEN_FILES', `the system let vid open no more files: ${error.message}`, hint)
  })

/** The version of Node that is needed, where this one is older: its modules lack what the program imports. */
const missingNode = () => {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const [major, minor] = engines.node.match(/\d+/g).map(Number)
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  return ownMajor > major || (ownMajor === major && ownMinor >= minor) ? undefined : `${major}.${minor}`
}

const refuseNode = (needed) => {
  const detail = `this is Node ${process.version}; vid needs ${needed} or later`
  const hint = `install Node ${needed} or later, such as from https://nodejs.org, and see that it comes first in PATH`
  say('VID_NODE_VERSION', detail, hint)
  const [command, ...words] = process.argv.slice(2)
  if (command !== 'doctor' || !words.includes('--json')) return
  const check = {
    name: 'node',
    ok: false,
    required: true,
    detail,
    hint,
    missing: 'every command',
    command: '',
  }
  process.stdout.write(`${JSON.stringify({ type: 'doctor', ok: false, checks: [check], mended: [] })}\n`)
}

const program = new URL('../dist/main.js', import.meta.url)
const needed = missingNode()
if (needed !== undefined) refuseNode(needed)
else if (existsSync(program)) (await load(program))?.start()
else
  say('VID_NOT_BUILT', 'the vid command has not been compiled yet', 'run "npm run build" in the root of the repository')
