// Runs the suites of `npm test` or of `npm run e2e`, all of them even where one fails; further arguments go to the last one:
// node scripts/suites.mjs test|e2e [FLAGS…]. Where VID_TEST_REPORTS names a folder, each suite leaves its report there.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { path } from './workspaces.mjs'

const vitest = (...args) => ['vitest', 'run', ...args]

/** The suites of each command of npm, in order. */
const SUITES = {
  test: {
    check: [process.execPath, path('scripts/check.mjs')],
    unit: vitest('--project', 'sharing', '--project', 'alone'),
  },
  e2e: {
    integration: vitest('--project', 'integration', '--project', 'integration-sharing'),
    'end-to-end': vitest('--config', 'e2e/vitest.config.ts', '--project', '!long'),
  },
}

const [command, ...flags] = process.argv.slice(2)
const reports = process.env.VID_TEST_REPORTS

/** What makes a suite leave its report. */
const reporting = (name, [program]) => {
  const file = join(reports, `${command}-${name}.json`)
  return program === 'vitest'
    ? ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    : ['--report', file]
}

/** Runs a suite to its end; resolves to its exit code. */
const run = ([program, ...args]) =>
  new Promise((resolve, reject) => {
    // The commands of npm build first.
    const env = {
      ...process.env,
      VID_TEST_BUILT: 'yes',
      PATH: `${path('node_modules/.bin')}${delimiter}${process.env.PATH}`,
    }
    const child = spawn(program, args, { cwd: path('.'), env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })

const suites = Object.entries(SUITES[command])
for (const [index, [name, line]] of suites.entries()) {
  const more = index === suites.length - 1 ? flags : []
  const code = await run([...line, ...(reports ? reporting(name, line) : []), ...more])
  if (reports) writeFileSync(join(reports, `${command}-${name}.exit`), `${code}\n`)
  if (code !== 0) process.exitCode = 1
}
