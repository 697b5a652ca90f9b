import type { Finding } from '@vid/core/lint'
import { readTasksOf } from '@vid/kernel'
import { errorsAmong, type LintErrors } from './refuse-errors.ts'

const define = readTasksOf(import.meta.url)

/** What is linted. */
export interface LintInput {
  /** Absolute folder. */
  readonly projectDir: string
  readonly entry: string
  readonly alpha: boolean
}

const lint = async ({ projectDir, entry, alpha }: LintInput, signal: AbortSignal): Promise<Finding[]> => {
  const { lintWithBundledFonts } = await import('./lint-project.ts')
  return lintWithBundledFonts(projectDir, entry, { alpha, signal })
}

/** Lints a composition. */
export const lintTask = define('lintTask', lint)

/** Lints a composition for its errors. */
export const lintErrorsTask = define(
  'lintErrorsTask',
  async (input: LintInput, signal): Promise<LintErrors> => errorsAmong(await lint(input, signal)),
)
