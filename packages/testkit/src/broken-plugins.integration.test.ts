import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly { ancestorTitles: string[]; title: string; status: string }[]
  }[]
}

const fixtures = fileURLToPath(new URL('./fixtures', import.meta.url))
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/** Milliseconds that all suites may take on a busy machine. */
const PATIENCE_MS = 600_000

/**
 * Runs every suite on its broken plugins; one process compiles the sources for all of them. Several at once, since they
 * mostly wait for what does not stop.
 */
const runSuites = async (signal: AbortSignal): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-suites-'))
  try {
    const report = join(folder, 'report.json')
    const args = ['run', '--root', fixtures, '--maxWorkers=4', '--reporter=json', `--outputFile=${report}`]
    const { VITEST: _, ...env } = process.env
    const child = spawn(process.execPath, [vitest, ...args], { env, signal, stdio: 'ignore' })
    await once(child, 'close')
    return JSON.parse(await readFile(report, 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The failed rules of a suite by plugin name, and all its rules. */
const outcomesOf = ({ testResults }: Report, suite: string) => {
  const result = testResults.find(({ name }) => basename(name) === `${suite}.suite.ts`)
  const outcomes = result?.assertionResults ?? []
  expect(outcomes.length, result?.message).toBeGreaterThan(0)
  const failed = new Map<string, string[]>()
  for (const { ancestorTitles, title, status } of outcomes) {
    const plugin = ancestorTitles.find((words) => words !== '') ?? ''
    failed.set(plugin, [...(failed.get(plugin) ?? []), ...(status === 'passed' ? [] : [title])])
  }
  return { failed, rules: new Set(outcomes.map(({ title }) => title)) }
}

let report: Report
beforeAll(async () => {
  report = await runSuites(AbortSignal.timeout(PATIENCE_MS))
}, PATIENCE_MS)

test.each(['encoder', 'capture', 'store', 'target', 'request', 'delivery', 'command', 'transcriber', 'speaker'])(
  'a plugin that breaks one rule of the %s suite fails that test and no other',
  (name) => {
    const { failed, rules } = outcomesOf(report, name)
    expect(failed.get('sound')).toEqual([])
    failed.delete('sound')
    // The text after a colon distinguishes several ways to break one rule.
    const ruleOf = (plugin: string) => plugin.split(': ')[0] ?? ''
    for (const [plugin, failures] of failed) expect(failures, plugin).toEqual([ruleOf(plugin)])
    expect(new Set([...failed.keys()].map(ruleOf)), 'every rule is broken by some plugin').toEqual(rules)
  },
)
