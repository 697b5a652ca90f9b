import type { CloudWatchLogsClient, FilteredLogEvent } from '@aws-sdk/client-cloudwatch-logs'
import { openLogs } from '../aws-clients.ts'
import { askAws } from '../aws-failure.ts'
import type { Action, CallRecord } from '../contract/call-records.ts'
import { bucketProblems } from '../contract/places.ts'
import { refuseProblems } from '../invalid-config.ts'
import { listCalls } from './call-list.ts'
import { describeExecution, findExecution, type RenderPlace, withStepFunctions } from './executions.ts'

/** A log line of a call of a render. */
export interface LogLine {
  /** ISO 8601. */
  readonly time: string
  readonly action: Action
  /** Number of the chunk; 0 for other actions. */
  readonly chunk: number
  readonly requestId: string
  /** Without the trailing line break. */
  readonly message: string
}

/** Selects log lines. */
export interface RenderLogsOptions extends RenderPlace {
  /** Output `RenderBucketName` of the stack. */
  readonly bucketName: string
  /** Output `RenderLogGroupName` of the stack. */
  readonly logGroupName: string
  /** Only the lines of calls that failed or have not ended. */
  readonly failedOnly?: boolean
}

/** Calls per query: a filter of CloudWatch Logs has at most 1024 characters. */
const CALLS_AT_ONCE = 20
/** Allows for differing clocks of S3 and Lambda, and for log lines before a call's first record. */
const EARLIER_MS = 60_000

/** The calls in records without duplicates, in the order of their starts. */
const callsOf = (records: readonly CallRecord[], failedOnly: boolean): readonly CallRecord[] => {
  const doneIds = new Set(records.filter(({ end }) => end?.outcome === 'done').map(({ requestId }) => requestId))
  const calls = new Map<string, CallRecord>()
  for (const record of [...records].sort((a, b) => a.writtenMs - b.writtenMs))
    if (!calls.has(record.requestId)) calls.set(record.requestId, record)
  return [...calls.values()].filter(({ requestId }) => !failedOnly || !doneIds.has(requestId))
}

async function* linesOf(
  client: CloudWatchLogsClient,
  { logGroupName, signal }: RenderLogsOptions,
  calls: readonly CallRecord[],
): AsyncGenerator<LogLine> {
  const { FilterLogEventsCommand } = await import('@aws-sdk/client-cloudwatch-logs')
  const filterPattern = calls.map(({ requestId }) => `?"${requestId}"`).join(' ')
  const startTime = Math.min(...calls.map(({ writtenMs }) => writtenMs)) - EARLIER_MS
  const ask = (nextToken: string | undefined) =>
    askAws({ action: 'logs:FilterLogEvents', subject: `the log group ${logGroupName}` }, signal, (options) =>
      client.send(new FilterLogEventsCommand({ logGroupName, filterPattern, startTime, nextToken }), options),
    )
  const readEvent = ({ message = '', timestamp = 0 }: FilteredLogEvent): readonly LogLine[] => {
    const call = calls.find(({ requestId }) => message.includes(requestId))
    if (!call) return []
    const { action, chunk, requestId } = call
    return [{ time: new Date(timestamp).toISOString(), action, chunk, requestId, message: message.trimEnd() }]
  }
  for (let token: string | undefined, isMore = true; isMore; isMore = token !== undefined) {
    const { events = [], nextToken } = await ask(token)
    for (const event of events) yield* readEvent(event)
    token = nextToken
  }
}

/** Yields the log lines of a render's calls in order, querying a few calls at a time. */
export async function* renderLogs(options: RenderLogsOptions): AsyncGenerator<LogLine> {
  const { bucketName, signal, failedOnly = false } = options
  refuseProblems(bucketProblems(bucketName))
  const execution = findExecution(options)
  const { renderId, region } = execution
  const records = await listCalls({ bucketName, region }, renderId, signal)
  // Records expire before AWS removes a render's execution, so without records, ask AWS whether the render exists.
  if (records.length === 0) await withStepFunctions(execution, (client) => describeExecution(client, execution, signal))
  const calls = callsOf(records, failedOnly)
  const client = await openLogs({ region })
  try {
    for (let first = 0; first < calls.length; first += CALLS_AT_ONCE)
      yield* linesOf(client, options, calls.slice(first, first + CALLS_AT_ONCE))
  } finally {
    client.destroy()
  }
}
