// Looks for tests that fail by chance: runs both suites again and again, each time in another order, while two programs keep
// the processors busy. It ends by itself, and with exit code 1 if anything has failed.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { path } from '../../scripts/workspaces.mjs'

const UNIT = ['--project', 'sharing', '--project', 'alone']
const INTEGRATION = ['--project', 'integration', '--project', 'integration-sharing']
const E2E = ['--config', 'e2e/vitest.config.ts', '--project', '!long']
const BUSY_PROGRAMS = 2
/** A run that takes longer hangs. */
const LONGEST_RUN_MS = 2 * 3_600_000

/** It ends with this process, whose end closes what it reads. */
const BUSY = `process.stdin.on('end', () => process.exit()).resume()
const work = () => {
  const end = performance.now() + 50
  while (performance.now() < end) Math.sqrt(end)
  setImmediate(work)
}
work()`

const { values } = parseArgs({
  options: {
    unit: { type: 'string', default: '10' },
    e2e: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now()) },
  },
})

const busy = Array.from({ length: BUSY_PROGRAMS }, () =>
  spawn(process.execPath, ['--eval', BUSY], { stdio: ['pipe', 'ignore', 'inherit'] }),
)

/** Runs a suite in the order of a seed; resolves to a line for each failure. */
const failuresOf = async (words, seed, folder) => {
  const outputFile = join(folder, `${seed}.json`)
  const env = {
    ...process.env,
    VID_TEST_SEED: String(seed),
    PATH: `${path('node_modules/.bin')}${delimiter}${process.env.PATH}`,
  }
  const reports = ['--reporter=dot', '--reporter=json', `--outputFile.json=${outputFile}`]
  const options = { cwd: path('.'), env, stdio: ['ignore', 'ignore', 'inherit'], timeout: LONGEST_RUN_MS }
  const child = spawn('vitest', ['run', ...words, ...reports], options)
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  const report = await readFile(outputFile, 'utf8').then(JSON.parse, () => ({ testResults: [] }))
  const lines = report.testResults.flatMap(({ name, status, message = '', assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed')
    const whys = failed.map(({ fullName, failureMessages: [why = ''] }) => `${fullName}: ${why.split('\n')[0]}`)
    const broken = status === 'failed' && failed.length === 0 ? [message.split('\n')[0]] : []
    return [...whys, ...broken].map((why) => `  ${relative(path('.'), name)} › ${why}`)
  })
  return code === 0 || lines.length > 0 ? lines : [`  the run ended with ${code}, and no test failed`]
}

const times = (count, runs) => Array.from({ length: Number(count) }, () => runs).flat()
/** `npm run e2e` is the integration tests and those of the built command. */
const suites = [
  ...times(values.unit, [['unit', UNIT]]),
  ...times(values.e2e, [
    ['integration', INTEGRATION],
    ['e2e', E2E],
  ]),
]
const folder = await mkdtemp(join(tmpdir(), 'vid-chance-'))
let count = 0
try {
  for (const [index, [name, words]] of suites.entries()) {
    const seed = Number(values.seed) + index
    const begunMs = performance.now()
    const failures = await failuresOf(words, seed, folder)
    const seconds = Math.round((performance.now() - begunMs) / 1000)
    console.log(`${name} VID_TEST_SEED=${seed}: ${failures.length} failures, ${seconds} s`)
    for (const line of failures) console.log(line)
    count += failures.length
  }
} finally {
  for (const program of busy) program.kill()
  await rm(folder, { recursive: true, force: true })
}
console.log(`${suites.length} runs, ${count} failures`)
process.exitCode = count === 0 ? 0 : 1
