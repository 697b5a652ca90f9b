import { defined } from '@vid/protocol'
import { codedError, type Renderer } from '@vid/render'
import type { CheckBody, CheckReply, Problem } from '../api.ts'
import { sortProblems } from '../problem-order.ts'
import { errorProblem, warningProblem } from '../project/problems.ts'

/** Warnings about pictures that are right: nothing has to be done about them. */
const NOTES: ReadonlySet<string> = new Set(['VID_LANE_FALLBACK'])

/** What the real capture says of some frames of a composition, and how it captured them. */
export const checkByCapture = async (
  renderer: Pick<Renderer, 'checkCapture'>,
  projectDir: string,
  { entry, variables }: CheckBody,
  signal: AbortSignal,
): Promise<Pick<CheckReply, 'problems' | 'frames'>> => {
  try {
    const settings = { projectDir, entry, ...defined({ variables }) }
    const { frames, warnings } = await renderer.checkCapture(settings, { signal })
    const problems = warnings.map((warning): Problem => {
      const problem = warningProblem('capture', warning)
      return NOTES.has(warning.code) ? { ...problem, severity: 'note' } : problem
    })
    return { frames, problems: sortProblems(problems) }
  } catch (thrown) {
    signal.throwIfAborted()
    const error = codedError(thrown, signal)
    if (error.fault === 'machine') throw error
    return { frames: [], problems: [errorProblem('capture', error)] }
  }
}
