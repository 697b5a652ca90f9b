// Runs the checks, as many at once as there are processors, and shows what each has said once it has ended:
// npm run check [-- NAME…]. --report FILE writes the results as vitest does.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter } from 'node:path'
import { parseArgs } from 'node:util'
import { path } from './workspaces.mjs'

/**
 * What `npm run check` consists of; those that read the built packages need a build. Each checker of the compiler looks at
 * the libraries again, and the processors are busy with the other checks.
 */
const CHECKS = {
  types: 'tsc -p tsconfig.test.json --checkers 1',
  unused: 'knip',
  format: 'biome check .',
  structure: 'node scripts/check-structure.mjs',
  patterns: 'node scripts/check-patterns.mjs',
  packages: 'node scripts/check-packages.mjs',
  licenses: 'node scripts/check-licenses.mjs',
  'config-schema': 'node scripts/config-schema.mjs --check',
  errors: 'node scripts/errors-page.mjs --check',
  'commands-page': 'node scripts/commands-page.mjs --check',
  'assistants-page': 'node scripts/assistants-page.mjs --check',
  'lint-pages': 'node scripts/lint-pages.mjs --check',
  'check-pages': 'node scripts/check-pages.mjs --check',
  'origin-pages': 'node scripts/origin-pages.mjs --check',
  'packages-page': 'node scripts/packages-page.mjs --check',
  prose: 'node scripts/check-prose.mjs',
}

/** Runs one command as npm does; gives its exit code and all that it has said. */
const run = (command) =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: `${path('node_modules/.bin')}${delimiter}${process.env.PATH}` }
    const child = spawn(command, { cwd: path('.'), env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, text }))
  })

const {
  values: { report },
  positionals,
} = parseArgs({ options: { report: { type: 'string' } }, allowPositionals: true })
const names = positionals.length > 0 ? positionals : Object.keys(CHECKS)
const unknown = names.filter((name) => !Object.hasOwn(CHECKS, name))
if (unknown.length > 0) {
  console.error(`no check is named ${unknown.join(', ')}; there are ${Object.keys(CHECKS).join(', ')}`)
  process.exit(2)
}

const results = []

const work = async () => {
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const { code, text } = await run(CHECKS[name])
    process.stdout.write(text)
    results.push({
      fullName: name,
      status: code === 0 ? 'passed' : 'failed',
      failureMessages: code === 0 ? [] : [text],
    })
    if (code === 0) continue
    process.stderr.write(`npm run check -- ${name} failed\n`)
    process.exitCode = 1
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))

if (report) {
  const failed = results.filter(({ status }) => status === 'failed').length
  const testResults = [
    { name: path('scripts/check.mjs'), status: failed > 0 ? 'failed' : 'passed', assertionResults: results },
  ]
  const counts = { numPassedTests: results.length - failed, numFailedTests: failed }
  writeFileSync(report, JSON.stringify({ ...counts, testResults }))
}
