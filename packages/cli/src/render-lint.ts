import { fail } from './errors.ts'
import type { GivenFlags } from './flag-check.ts'
import type { Setup } from './setup.ts'

const lint = async ({ requests, kernel }: Setup, signal: AbortSignal) => {
  const { lintProject } = await import('./lint-project.ts')
  const [{ projectDir, entry = 'index.html' }] = requests
  const asked = requests.flatMap(({ format = 'mp4', outputs = [] }) => [
    format,
    ...outputs.map((output) => output.format),
  ])
  const encoders = kernel.setup.encoders.filter(({ formats }) => formats.some((name) => asked.includes(name)))
  return lintProject(projectDir, entry, { alpha: encoders.some(({ alpha }) => alpha), signal })
}

/** With --strict: an error that lists what lint calls an error. */
export const requireLint = async (
  setup: Setup,
  { dir, given, signal }: { readonly dir: string; readonly given: GivenFlags; readonly signal: AbortSignal },
): Promise<void> => {
  if (given.strict !== true) return
  const errors = (await lint(setup, signal)).filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  const { findingLine } = await import('./lint-text.ts')
  throw fail('VID_LINT_STRICT', { findings: errors.map(findingLine), dir })
}

/** A line about what lint finds, or null; never rejects, since a render tells itself what stops it. */
export const lintSummary = async (setup: Setup, dir: string, signal: AbortSignal): Promise<string | null> => {
  const findings = await lint(setup, signal).catch(() => [])
  if (findings.length === 0) return null
  const { findingCounts } = await import('./lint-text.ts')
  return `lint: ${findingCounts(findings)} — vid lint${dir === '.' ? '' : ` ${dir}`} shows them`
}
