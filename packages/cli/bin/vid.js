#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = new URL('../dist/main.js', import.meta.url)
if (existsSync(program)) {
  const { start } = await import(program.href)
  start()
} else {
  process.stderr.write('error VID_NOT_BUILT: the vid command has not been compiled yet\n')
  process.stderr.write('  hint: run "npm run build" in the root of the repository\n')
  process.exitCode = 1
}
