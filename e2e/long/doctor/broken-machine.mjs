import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { path } from '../../../scripts/workspaces.mjs'
import { mountLines, runInNamespace } from '../machines/namespace.mjs'

const COMMAND = path('packages/engine/cli/bin/vid.js')

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
  const { hide, sizes, full = [] } = machine
  const lines = [
    ...mountLines({ hide, sizes, full: full.map((name) => folders[name]) }),
    ...(limit === undefined ? [] : [`ulimit -n ${limit}`]),
  ]
  try {
    const answer = await runInNamespace(lines, [node, COMMAND, 'doctor', project, '--json', ...words], {
      cwd: folders.OUTPUT,
      env: { PATH: '/usr/bin:/bin', HOME: scratch, ...folders, ...env },
    })
    const left = [...answer.left, ...readdirSync(folders.OUTPUT)].map((file) => `left: ${file}`)
    return [...problemsOf(answer, { fails, warns, says }), ...left]
  } catch (cause) {
    return [String(cause)]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
