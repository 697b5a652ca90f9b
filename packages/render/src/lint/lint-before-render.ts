import type { Finding } from '@vid/core/lint'
import { type Reading, readHere } from '@vid/kernel'
import type { PreparedRender } from '../prepare/prepare.ts'
import { lintTask } from '../read-tasks.ts'
import { refuseErrors } from './refuse-errors.ts'

/** How a composition is linted. */
interface LintReading {
  readonly signal: AbortSignal
  /** In this thread if left out. */
  readonly reading?: Reading | undefined
}

/** The findings about a composition that is about to be rendered, in the requested formats. */
export const lintRequests = async (
  { requests, kernel }: Pick<PreparedRender, 'requests' | 'kernel'>,
  { signal, reading = readHere }: LintReading,
): Promise<readonly Finding[]> => {
  const [{ projectDir, entry = 'index.html' }] = requests
  const names = requests.flatMap(({ format = 'mp4', outputs = [] }) => [
    format,
    ...outputs.map((output) => output.format),
  ])
  const encoders = kernel.setup.encoders.filter(({ formats }) => formats.some((name) => names.includes(name)))
  return reading(lintTask, { projectDir, entry, alpha: encoders.some(({ alpha }) => alpha) }, signal)
}

/** Refuses a composition that lint finds errors in; `dir` names it in the hint. */
export const requireLint = async (
  prepared: Pick<PreparedRender, 'requests' | 'kernel'>,
  dir: string,
  reading: LintReading,
): Promise<void> => {
  refuseErrors(await lintRequests(prepared, reading), dir)
}
