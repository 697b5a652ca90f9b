import { compileEntry, hostIssuePlace, issueWarning } from '@vid/core'
import { isMachineFault, isVidError, type VidError, type Warning } from '@vid/protocol'
import { lintFolder, type RenderContext } from '@vid/render'
import type { Problem } from '../api.ts'
import { sortProblems } from '../problem-order.ts'

const placeOf = ({ file, line }: Readonly<Record<string, unknown>>): Problem['place'] =>
  typeof file === 'string' && typeof line === 'number' ? { file, line } : null

/** An error as a problem of the composition. */
export const errorProblem = (from: Problem['from'], error: VidError): Problem => ({
  from,
  severity: 'error',
  code: error.code,
  message: error.message,
  hint: error.hint,
  place: placeOf(error.facts),
  selector: null,
})

/** A warning as a problem of the composition. */
export const warningProblem = (from: Problem['from'], { code, message, hint = '' }: Warning): Problem => ({
  from,
  severity: 'warning',
  code,
  message,
  hint,
  place: null,
  selector: null,
})

/** The problem that stands for what was thrown; what is no fault of the composition is thrown on. */
const asProblems = (from: Problem['from'], thrown: unknown, signal: AbortSignal): Problem[] => {
  signal.throwIfAborted()
  if (!isVidError(thrown) || isMachineFault(thrown)) throw thrown
  return [errorProblem(from, thrown)]
}

const compileProblems = async (dir: string, entry: string, signal: AbortSignal): Promise<Problem[]> => {
  const { issues } = await compileEntry(dir, entry, { signal })
  return issues.map((issue) => ({
    ...warningProblem('compile', issueWarning(issue.issue, hostIssuePlace(issue))),
    place: { file: issue.file, line: issue.line },
  }))
}

/** What lint and the putting together of a composition find, without a browser. */
export const findProblems = async (
  dir: string,
  entry: string,
  context: RenderContext,
  signal: AbortSignal,
): Promise<Problem[]> => {
  const [findings, issues] = await Promise.all([
    lintFolder({ projectDir: dir, entry }, context, signal).then(
      (problem) =>
        problem.map(
          ({ file, line, severity, code, message, hint, selector }): Problem => ({
            from: 'lint',
            severity,
            code,
            message,
            hint,
            selector,
            place: { file, line },
          }),
        ),
      (thrown) => asProblems('lint', thrown, signal),
    ),
    compileProblems(dir, entry, signal).catch((thrown) => asProblems('compile', thrown, signal)),
  ])
  // Lint reports the same problem in the same words under the name of its rule.
  const messages = new Set(findings.map(({ message }) => message))
  return sortProblems([...findings, ...issues.filter(({ message }) => !messages.has(message))])
}
