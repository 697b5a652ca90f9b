#!/usr/bin/env node
import { existsSync } from 'node:fs'

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

const program = new URL('../dist/main.js', import.meta.url)
if (existsSync(program)) (await load(program))?.start()
else
  say(
    'VID_NOT_BUILT',
    'the vid command has not been compiled yet',
    'run "npm run build" in the root of the repository',
  )
