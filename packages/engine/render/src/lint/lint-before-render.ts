import type { Finding } from '@vid/core/lint'
import { type Reading, readHere } from '@vid/kernel'
import type { PreparedRender } from '../prepare/prepare.ts'
import { type LintInput, lintErrorsTask, lintTask } from './lint-tasks.ts'
import { refuseCounted } from './refuse-errors.ts'

/** How a composition is linted. */
interface LintReading {
  readonly signal: AbortSignal
  /** In this thread if left out. */
  readonly reading?: Reading | undefined
}

type Linted = Pick<PreparedRender, 'requests' | 'kernel'>

const inputOf = ({ requests, kernel }: Linted): LintInput => {
  const [{ projectDir, entry = 'index.html' }] = requests
  const names = requests.flatMap(({ format = 'mp4', outputs = [] }) => [
    format,
    ...outputs.map((output) => output.format),
  ])
  const encoders = kernel.setup.encoders.filter(({ formats }) => formats.some((name) => names.includes(name)))
  return { projectDir, entry, alpha: encoders.some(({ alpha }) => alpha) }
}

/** The findings about a composition that is about to be rendered, in the requested formats. */
export const lintRequests = (
  prepared: Linted,
  { signal, reading = readHere }: LintReading,
): Promise<readonly Finding[]> => reading(lintTask, inputOf(prepared), signal)

/** Refuses a composition that lint finds errors in; `dir` names it in the hint. */
export const requireLint = async (
  prepared: Linted,
  dir: string,
  { signal, reading = readHere }: LintReading,
): Promise<void> => refuseCounted(await reading(lintErrorsTask, inputOf(prepared), signal), dir)
