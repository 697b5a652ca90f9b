import type { Finding } from '@vid/core/lint'
import type { PreparedRender } from '../prepare/prepare.ts'
import { refuseErrors } from './refuse-errors.ts'

/** The findings about a composition that is about to be rendered, in the requested formats. */
export const lintRequests = async (
  { requests, kernel }: Pick<PreparedRender, 'requests' | 'kernel'>,
  signal: AbortSignal,
): Promise<Finding[]> => {
  const { lintProject } = await import('./lint-project.ts')
  const [{ projectDir, entry = 'index.html' }] = requests
  const names = requests.flatMap(({ format = 'mp4', outputs = [] }) => [
    format,
    ...outputs.map((output) => output.format),
  ])
  const encoders = kernel.setup.encoders.filter(({ formats }) => formats.some((name) => names.includes(name)))
  return lintProject(projectDir, entry, { alpha: encoders.some(({ alpha }) => alpha), signal })
}

/** Refuses a composition that lint finds errors in; `dir` names it in the hint. */
export const requireLint = async (
  prepared: Pick<PreparedRender, 'requests' | 'kernel'>,
  dir: string,
  signal: AbortSignal,
): Promise<void> => {
  refuseErrors(await lintRequests(prepared, signal), dir)
}
