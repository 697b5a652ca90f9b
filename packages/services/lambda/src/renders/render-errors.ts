import type { HistoryEvent, SFNClient } from '@aws-sdk/client-sfn'
import type { Fault } from '@vid/protocol'
import { parseJson } from '@vid/protocol'
import { askAws } from '../aws-failure.ts'
import type { Action } from '../contract/call-records.ts'
import { describeExecution, type Execution } from './executions.ts'

/** An error during a render, even if another attempt succeeded. */
export interface RenderError {
  /** State of the workflow, with the number of the chunk: `Chunk 3`. */
  readonly state: string
  /** Code of the error. */
  readonly error: string
  /** What happened, in words; empty if only the code is available. */
  readonly cause: string
  /** What to do about it. */
  readonly hint?: string
  /** Whose fault it is, if the function reported it. */
  readonly fault?: Fault
  /** The plugin that failed. */
  readonly plugin?: string
  readonly hook?: string
}

/** Names of workflow states, by action. */
const STATES: Readonly<Record<Action, string>> = {
  plan: 'Plan',
  segment: 'Chunk',
  publish: 'Publish',
  assemble: 'Assemble',
  abandon: 'Abandon',
}

/** The name of an action's state in errors. */
export const stateOf = (action: Action, chunk: number): string =>
  action === 'segment' ? `${STATES.segment} ${chunk}` : STATES[action]

const objectOf = (text: string): Readonly<Record<string, unknown>> => {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

const isFault = (value: unknown): value is Fault => value === 'caller' || value === 'render' || value === 'machine'

/** Parses the cause of a function error: Lambda wraps its message, an error as JSON, and adds a stack trace. */
export const readCause = (text: string | undefined): Omit<RenderError, 'state' | 'error'> => {
  const { errorMessage } = objectOf(text ?? '')
  const failureText = typeof errorMessage === 'string' ? errorMessage : (text ?? '')
  const { message, hint, fault, plugin, hook } = objectOf(failureText)
  return {
    cause: typeof message === 'string' ? message : failureText,
    ...(typeof hint === 'string' && { hint }),
    ...(isFault(fault) && { fault }),
    ...(typeof plugin === 'string' && { plugin }),
    ...(typeof hook === 'string' && { hook }),
  }
}

/** Maximum number of history events to read; the cause of the end is among the last. */
const MAX_EVENTS = 1000
const MAX_ERRORS = 20

const failureOf = (event: HistoryEvent) =>
  event.lambdaFunctionFailedEventDetails ??
  event.lambdaFunctionTimedOutEventDetails ??
  event.lambdaFunctionScheduleFailedEventDetails ??
  event.lambdaFunctionStartFailedEventDetails ??
  event.taskFailedEventDetails ??
  event.taskTimedOutEventDetails

/** Name of an event's state, with the number of the chunk. */
const stateOfEvent = (event: HistoryEvent, events: ReadonlyMap<number, HistoryEvent>): string => {
  let state = ''
  for (let ancestor: HistoryEvent | undefined = event; ancestor; ancestor = events.get(ancestor.previousEventId ?? 0)) {
    state ||= ancestor.stateEnteredEventDetails?.name ?? ''
    const iteration = ancestor.mapIterationStartedEventDetails
    if (iteration) return `${state} ${iteration.index}`
    if (state !== '' && !state.startsWith(STATES.segment)) break
  }
  return state
}

/** The failed attempts at the end of a history, latest first. */
export const errorsOfHistory = (history: readonly HistoryEvent[]): readonly RenderError[] => {
  const events = new Map(history.map((event) => [event.id ?? 0, event]))
  return history.flatMap((event) => {
    const failure = failureOf(event)
    if (!failure) return []
    const { error = '', cause } = failure
    return [{ state: stateOfEvent(event, events), error, ...readCause(cause) }]
  })
}

const readHistory = async (
  client: SFNClient,
  executionArn: string,
  signal: AbortSignal | undefined,
): Promise<readonly HistoryEvent[]> => {
  const { GetExecutionHistoryCommand } = await import('@aws-sdk/client-sfn')
  const command = new GetExecutionHistoryCommand({
    executionArn,
    reverseOrder: true,
    maxResults: MAX_EVENTS,
    includeExecutionData: true,
  })
  const request = { action: 'states:GetExecutionHistory', subject: `the render ${executionArn}` } as const
  return (await askAws(request, signal, (options) => client.send(command, options))).events ?? []
}

/** The errors of chunks that ran as separate executions: the render's own history only counts failures. */
const errorsOfChunks = async (
  client: SFNClient,
  executionArn: string,
  signal: AbortSignal | undefined,
): Promise<readonly RenderError[]> => {
  const { ListMapRunsCommand, ListExecutionsCommand } = await import('@aws-sdk/client-sfn')
  const { mapRuns = [] } = await askAws(
    { action: 'states:ListMapRuns', subject: `the render ${executionArn}` },
    signal,
    (options) => client.send(new ListMapRunsCommand({ executionArn }), options),
  )
  const errors: RenderError[] = []
  for (const { mapRunArn = '' } of mapRuns) {
    const command = new ListExecutionsCommand({ mapRunArn, statusFilter: 'FAILED', maxResults: MAX_ERRORS })
    const request = { action: 'states:ListExecutions', subject: `the chunks ${mapRunArn}` } as const
    const { executions = [] } = await askAws(request, signal, (options) => client.send(command, options))
    for (const { executionArn: child = '' } of executions) {
      const execution = await describeExecution(client, { executionArn: child }, signal)
      const { chunk } = objectOf(execution.input ?? '')
      errors.push({
        state: stateOf('segment', Number(chunk)),
        error: execution.error ?? '',
        ...readCause(execution.cause),
      })
    }
  }
  return errors
}

const distinct = (errors: readonly RenderError[]): readonly RenderError[] => [
  ...new Map(errors.map((error) => [JSON.stringify(error), error])).values(),
]

/** The errors of a failed render: the one that ended it first, then the failed attempts before. */
export const errorsOfExecution = async (
  client: SFNClient,
  { executionArn }: Pick<Execution, 'executionArn'>,
  { error = '', cause }: { readonly error?: string | undefined; readonly cause?: string | undefined },
  signal: AbortSignal | undefined,
): Promise<readonly RenderError[]> => {
  const ofHistory = errorsOfHistory(await readHistory(client, executionArn, signal))
  const failures =
    error === 'States.ExceedToleratedFailureThreshold'
      ? [...(await errorsOfChunks(client, executionArn, signal)), ...ofHistory]
      : ofHistory
  const last = { error, ...readCause(cause) }
  const first = failures.find((failure) => failure.error === error && failure.cause === last.cause)
  const isOfChunks = first === undefined && failures !== ofHistory && failures.length > 0
  const candidates = isOfChunks || error === '' ? failures : [{ state: first?.state ?? '', ...last }, ...failures]
  return distinct(candidates).slice(0, MAX_ERRORS)
}
