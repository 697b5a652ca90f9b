import type { Finding } from '@vid/core/lint'
import { readTasksOf } from '@vid/kernel'

const define = readTasksOf(import.meta.url, 'read-tasks.js')

/** What is linted. */
export interface LintInput {
  /** Absolute folder. */
  readonly projectDir: string
  readonly entry: string
  readonly alpha: boolean
}

const lint = async ({ projectDir, entry, alpha }: LintInput, signal: AbortSignal): Promise<Finding[]> => {
  const { lintProject } = await import('./lint/lint-project.ts')
  return lintProject(projectDir, entry, { alpha, signal })
}

/** Lints a composition. */
export const lintTask = define('lintTask', lint)
