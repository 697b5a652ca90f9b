import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { path } from '../workspaces.mjs'

const COMMAND = path('packages/cli/bin/vid.js')

/** Shell lines that mount what hides or limits folders; no other process sees them. */
const mountLines = ({ hide = [], sizes = {}, full = [] }, folders) => [
  ...hide.map((folder) => `mount -t tmpfs none "${folder}"`),
  ...Object.entries(sizes).map(([folder, size]) => `mount -t tmpfs -o size=${size} none "${folder}"`),
  ...full.flatMap((name) => [
    `mount -t tmpfs -o size=64k none "${folders[name]}"`,
    `head -c 1000000 /dev/zero > "${folders[name]}/full" 2> /dev/null || true`,
  ]),
]

const run = (script, words, options) =>
  new Promise((resolve) => {
    const child = spawn('unshare', ['--mount', '--map-root-user', 'sh', '-c', script, 'sh', ...words], options)
    const text = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (chunk) => {
        text[name] += chunk
      })
    child.once('close', (code) => resolve({ code, ...text }))
  })

const differences = (kind, actual, expected) =>
  actual.join() === expected.join()
    ? []
    : [`${kind}: ${actual.join(', ') || 'nothing'}; expected: ${expected.join(', ') || 'nothing'}`]

/** What is wrong with the answer of a doctor. */
const problemsOf = ({ code, stdout, stderr }, { fails, warns, says = /./ }) => {
  const event = JSON.parse(stdout)
  const { checks } = event
  // What was not tested is the consequence of another failure.
  const failed = checks.filter(({ ok, detail }) => !ok && !detail.startsWith('not tested, since'))
  const required = failed.filter((check) => check.required)
  const names = failed.filter((check) => !check.required).map(({ name }) => name)
  return [
    ...differences(
      'required',
      required.map(({ name }) => name),
      fails,
    ),
    ...(warns ?? []).filter((name) => !names.includes(name)).map((name) => `${name} is not warned of`),
    ...(code === (fails.length > 0 ? 1 : 0) ? [] : [`exit code ${code}`]),
    ...failed.filter(({ hint, missing }) => hint === '' || missing === '').map(({ name }) => `${name} names no remedy`),
    ...(says.test(JSON.stringify(event)) ? [] : [`it does not say ${says}: ${stdout}`]),
    ...(/^\s+at /m.test(stdout + stderr) ? [`a stack: ${stderr}`] : []),
    ...(/very-secret-key/.test(stdout + stderr) ? ['a secret is shown'] : []),
  ]
}

/** Runs "vid doctor" on a machine that is broken in some way; returns what is wrong with its answer, or left of it. */
export const runDoctor = async (machine) => {
  const { project, env = {}, words = [], node = process.execPath, limit, fails, warns, says } = machine
  const scratch = mkdtempSync(join(tmpdir(), 'vid-broken-'))
  const folders = {
    TMPDIR: join(scratch, 'tmp'),
    VID_CACHE_DIR: machine.cache ?? join(scratch, 'cache'),
    OUTPUT: join(scratch, 'output'),
  }
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const script = [
    'set -e',
    ...mountLines(machine, folders),
    ...(limit === undefined ? [] : [`ulimit -n ${limit}`]),
    `cd "${folders.OUTPUT}"; set +e; "$@"; code=$?`,
    `find "${folders.TMPDIR}" -mindepth 1 ! -name full ! -name 'node-compile-cache*' >&2; exit $code`,
  ].join('\n')
  try {
    const answer = await run(script, [node, COMMAND, 'doctor', project, '--json', ...words], {
      env: { PATH: '/usr/bin:/bin', HOME: scratch, ...folders, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const left = answer.stderr.split('\n').filter((line) => line.startsWith(folders.TMPDIR))
    const outputs = existsSync(folders.OUTPUT) ? readdirSync(folders.OUTPUT) : []
    return [...problemsOf(answer, { fails, warns, says }), ...[...left, ...outputs].map((file) => `left: ${file}`)]
  } catch (cause) {
    return [String(cause)]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
