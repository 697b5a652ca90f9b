import { createRecentMap, type RecentMap } from '@vid/protocol'
import type { Semaphore } from '@vid/system'
import { makeAnswer } from '../answers/answer.ts'
import { type AnswerPicture, readPictures } from '../answers/pictures.ts'
import { plainText } from '../answers/plain.ts'
import type { Roots } from '../roots/roots.ts'
import { splitArguments } from '../tools/answer-options.ts'
import { type CallContext, runCommand } from '../tools/run-command.ts'
import type { Tool } from '../tools/tool.ts'
import { checkArguments, writtenLine } from '../tools/written-line.ts'

/** Results of earlier calls of one client, by what was called. */
export type Results = RecentMap<string, Readonly<Record<string, unknown>>>

/** Whom a call is for, and what it may use. */
export interface Caller {
  readonly roots: Roots
  /** Name of the assistant, for the history of edits. */
  readonly author: string
  readonly results: Results
  /** Limits how many commands run at once. */
  readonly slots: Semaphore
}

/** What a tool has answered. */
export interface ToolAnswer {
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>>
  readonly pictures: readonly AnswerPicture[]
}

/** Most results that are kept of one client. */
const MAX_RESULTS = 20

/** Creates the results of one client, none as yet. */
export const createResults = (): Results => createRecentMap(MAX_RESULTS)

/** Calls a tool; rejects with what the command rejects with. */
export const callTool = async (
  tool: Tool,
  values: unknown,
  caller: Caller,
  context: Omit<CallContext, 'cwd' | 'roots'>,
): Promise<ToolAnswer> => {
  const { roots, results } = caller
  const { answer: options, rest } = splitArguments(checkArguments(tool, values), tool.facts)
  const line = await writtenLine(tool, rest, caller)
  const [cwd] = roots
  const key = JSON.stringify([tool.name, line])
  const last = results.get(key)
  // A further page is one of the last answer: running the command again would edit again.
  const isPage = options.offset > 0 && last !== undefined
  const run = () => runCommand(tool, line, { ...context, cwd, roots })
  const report = isPage ? { result: last, remarks: '' } : await caller.slots.run(run, context.signal)
  if (!isPage) results.delete(key)
  if (!isPage && report.result) results.set(key, report.result)
  const plain = plainText(roots)
  const answer = await makeAnswer({
    tool,
    report,
    before: isPage ? undefined : last,
    options,
    view: { ...line, cwd },
    plain,
  })
  const paths = report.result ? (tool.facts.pictures?.(report.result) ?? []) : []
  const { pictures, notes } = await readPictures(paths, options.pictures, roots)
  return { ...answer, text: [answer.text, ...notes.map(plain)].filter(Boolean).join('\n'), pictures }
}
