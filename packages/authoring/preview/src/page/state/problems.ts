import { computed, signal } from '@preact/signals'
import type { CheckBody, CheckReply, Problem, ProblemsReply } from '../../api.ts'
import { API } from '../../api-paths.ts'
import { distinctProblems, pageProblem, playerProblem } from '../model/problem-list.ts'
import { pageErrors, playerError } from './playback.ts'
import { entry, project } from './project.ts'
import { failureOf, read, sendJson, withQuery } from './server.ts'
import { edits } from './variables.ts'

/** What the server found in the text. */
const reports = signal<readonly Problem[]>([])

/** The problems of some captured frames; null before the first check, and after a change. */
export const captureReply = signal<Pick<CheckReply, 'problems' | 'frames'> | null>(null)

/** Whether the real capture is at work. */
export const isChecking = signal(false)

const isFound = ({ message }: { readonly message: string }) =>
  reports.value.some((problem) => problem.message === message)

/** Everything that is wrong with the shown composition, or that its author should know: the worst first. */
export const problems = computed<readonly Problem[]>(() =>
  distinctProblems([
    ...reports.value,
    ...(captureReply.value?.problems ?? []),
    ...(playerError.value && !isFound(playerError.value) ? [playerProblem(playerError.value)] : []),
    ...pageErrors.value.map((error) => pageProblem(error, project.value?.origin ?? '')),
  ]),
)

/** Reads the problems of the text of the shown composition. */
export const loadProblems = async (signal: AbortSignal): Promise<void> => {
  const { problems } = await read<ProblemsReply>(withQuery(API.problems, { entry: entry.value }), signal)
  reports.value = problems
}

/** Forgets what is no longer true of another composition or another revision. */
export const forgetCheck = (): void => {
  captureReply.value = null
}

/** Checks some frames by the real capture. */
export const checkCapturedFrames = async (): Promise<void> => {
  const body: CheckBody = { entry: entry.value, variables: edits.value }
  isChecking.value = true
  try {
    const reply = await sendJson<CheckReply>(API.check, body)
    if (body.entry === entry.value) captureReply.value = reply
  } catch (thrown) {
    throw new Error(failureOf(thrown).message, { cause: thrown })
  } finally {
    isChecking.value = false
  }
}
