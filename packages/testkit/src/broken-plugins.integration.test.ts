import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

interface Report {
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly { ancestorTitles: string[]; title: string; status: string }[]
  }[]
}

const fixtures = fileURLToPath(new URL('./fixtures', import.meta.url))
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/** Runs a suite on its broken plugins; returns the failed rules by plugin name, and all rules. */
const runSuite = async (name: string, signal: AbortSignal) => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-suites-'))
  try {
    const report = join(folder, 'report.json')
    const args = ['run', `${name}.suite.ts`, '--root', fixtures, '--reporter=json', `--outputFile=${report}`]
    const { VITEST: _, ...env } = process.env
    const child = spawn(process.execPath, [vitest, ...args], { env, signal, stdio: 'ignore' })
    await once(child, 'close')
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report
    const results = testResults.flatMap(({ assertionResults }) => assertionResults)
    expect(results.length, testResults[0]?.message).toBeGreaterThan(0)
    const failed = new Map<string, string[]>()
    for (const { ancestorTitles, title, status } of results) {
      const plugin = ancestorTitles.find((words) => words !== '') ?? ''
      failed.set(plugin, [...(failed.get(plugin) ?? []), ...(status === 'passed' ? [] : [title])])
    }
    return { failed, rules: new Set(results.map(({ title }) => title)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test.concurrent.each(['encoder', 'capture', 'store', 'target', 'request', 'delivery', 'command'])(
  'a plugin that breaks one rule of the %s suite fails that test and no other',
  async (name) => {
    const { failed, rules } = await runSuite(name, AbortSignal.timeout(110_000))
    expect(failed.get('sound')).toEqual([])
    failed.delete('sound')
    // The text after a colon distinguishes several ways to break one rule.
    const ruleOf = (plugin: string) => plugin.split(': ')[0] ?? ''
    for (const [plugin, failures] of failed) expect(failures, plugin).toEqual([ruleOf(plugin)])
    expect(new Set([...failed.keys()].map(ruleOf)), 'every rule is broken by some plugin').toEqual(rules)
  },
  120_000,
)
