// What vid does on a machine, and what is wrong with it.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openMachine } from './machine.mjs'

/** Characters of an answer that a problem quotes. */
const QUOTED = 500

const eventsOf = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

const differences = (what, actual, expected) => {
  const [is, should] = [actual, expected].map((names) => [...new Set(names)].sort().join(', ') || 'none')
  return is === should ? [] : [`${what}: ${is}; expected: ${should}`]
}

/** What is wrong with any answer: a stack, or a file that is left. */
const commonProblems = ({ stdout, stderr, left }) => [
  ...(/^\s+at .*:\d+:\d+\)?$/m.test(stdout + stderr) ? [`a stack: ${stderr.slice(0, QUOTED)}`] : []),
  ...left.map((name) => `left: ${name}`),
]

const doctorProblems = (answer, { doctor = [] }) => {
  const [event] = eventsOf(answer.stdout)
  if (event === undefined) return [`exit code ${answer.code}: ${answer.stderr.slice(-QUOTED)}`]
  const required = event.checks.filter((check) => check.required && !check.ok)
  // What was not tested is the consequence of another failure.
  const failed = required.filter(({ detail }) => !detail.startsWith('not tested'))
  return [
    ...differences(
      'failed',
      failed.map(({ name }) => name),
      doctor,
    ),
    ...failed.filter(({ name }) => !doctor.includes(name)).map(({ name, detail }) => `${name}: ${detail}`),
    ...required.filter(({ hint }) => hint === '').map(({ name }) => `${name} has no hint`),
    ...(answer.code === (required.length === 0 ? 0 : 1) ? [] : [`exit code ${answer.code}`]),
  ]
}

const renderProblems = (answer, fails, warns) => {
  const events = eventsOf(answer.stdout)
  const last = events.at(-1)
  if (fails !== undefined) {
    const { code = 'no error', message, hint } = last?.error ?? {}
    return [
      ...(fails.code.split('|').includes(code) ? [] : [`${code} instead of ${fails.code}: ${message}`]),
      ...(fails.says.test(`${message}\n${hint}`) ? [] : [`it does not say ${fails.says}: ${message} ${hint}`]),
      ...(answer.code === 1 ? [] : [`exit code ${answer.code}`]),
    ]
  }
  if (answer.code !== 0 || last?.type !== 'render-complete')
    return [`exit code ${answer.code}: ${last?.error?.message ?? answer.stderr.slice(-QUOTED)}`]
  return differences(
    'warnings',
    last.warnings.map(({ code }) => code),
    warns,
  )
}

const digestOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Renders a composition; resolves to what is wrong, the code with which it had to end, and the digest of the video. */
const tryRender = async (machine, { fails, warns = [] }, { name, folder }) => {
  const output = join(machine.videos, `${name}.mp4`)
  const answer = await machine.run('render', folder, '--output', output, '--strict', '--no-cache', '--json')
  const expected = fails?.of === undefined || fails.of === name ? fails : undefined
  const problems = [...commonProblems(answer), ...renderProblems(answer, expected, warns)]
  const isThere = existsSync(output)
  if (expected !== undefined && isThere) problems.push('there is an output')
  const digest = isThere ? digestOf(output) : undefined
  rmSync(output, { force: true })
  return { problems, refusal: expected?.code, digest }
}

/**
 * Tries a machine: vid doctor, and a strict render of each composition, of which the bytes are to be those of the machines
 * before with the same ffmpeg, kept in `digests`. Resolves to what is wrong, and to the codes that are right.
 */
export const tryMachine = async (work, cell, compositions, digests) => {
  const machine = openMachine(work, cell)
  const problems = []
  const refusals = new Set()
  try {
    const doctor = await machine.run('doctor', '--json')
    problems.push(...[...commonProblems(doctor), ...doctorProblems(doctor, cell)].map((text) => `doctor: ${text}`))
    for (const composition of compositions) {
      const { name } = composition
      const tried = await tryRender(machine, cell, composition)
      problems.push(...tried.problems.map((text) => `${name}: ${text}`))
      if (tried.refusal !== undefined) refusals.add(tried.refusal)
      if (tried.digest === undefined) continue
      const key = `${cell.ffmpeg} ${name}`
      digests[key] ??= tried.digest
      if (digests[key] !== tried.digest) problems.push(`${name}: other bytes`)
    }
    return { problems, refusals: [...refusals] }
  } finally {
    machine.close()
  }
}
