import type { RequestContext } from '@vid/kernel'
import { type Fault, parseJson, printable, type Static, schemaProblems, VidError, WarningSchema } from '@vid/protocol'
import { fail } from '../errors.ts'
import { isMatching } from '../matching.ts'
import { OrderErrorSchema, type OrderResult, OrderResultSchema } from '../order.ts'

const CODE = /^[A-Z][A-Z0-9_]{2,99}$/
const MAX_TEXT = 4000

/** What a target reports of a render elsewhere. */
export type Reports = Pick<RequestContext<unknown>, 'progress' | 'segment' | 'warn' | 'log'>

type RemoteErrorData = Static<typeof OrderErrorSchema>['error']

/** An error from inside as one of this process: its words are a stranger's as far as terminals go. */
const errorFrom = ({ code, message, hint, fault }: RemoteErrorData): VidError => {
  const text = (words: string) => printable(words.slice(0, MAX_TEXT))
  if (!CODE.test(code)) return fail('VID_CONTAINER_RESULT', { reason: 'the code of an error is none' })
  return new VidError(code, { message: text(message), hint: text(hint), fault: fault as Fault })
}

/** What a container has answered so far. */
interface Answer {
  readonly result?: OrderResult
  readonly error?: VidError
}

interface Event {
  readonly type?: unknown
  readonly [name: string]: unknown
}

const pass = (event: Event, { progress, segment, warn, log }: Reports): void => {
  const { type, warning } = event
  // The kernel leaves out what is no event.
  if (type === 'render-progress') progress(event as unknown as Parameters<typeof progress>[0])
  else if (type === 'segment-complete') segment(event as unknown as Parameters<typeof segment>[0])
  else if (type === 'warning' && isMatching(WarningSchema, warning)) warn(warning)
  else if (type === 'console' && typeof event.text === 'string' && typeof event.count === 'number')
    log?.(event as unknown as Parameters<NonNullable<typeof log>>[0])
}

/** Reads the lines of a container: passes on what it reports, and keeps how it ended. */
export const createAnswer = (reports: Reports) => {
  let answer: Answer = {}
  return {
    take(line: string): void {
      const event = parseJson(line) as Event | undefined | null
      if (event === null || typeof event !== 'object') return
      if (event.type === 'order-complete') {
        const problems = schemaProblems(OrderResultSchema, event)
        if (problems.length > 0) answer = { error: fail('VID_CONTAINER_RESULT', { reason: problems.join('; ') }) }
        else answer = { result: event as unknown as OrderResult }
      } else if (isMatching(OrderErrorSchema, event)) answer = { error: errorFrom(event.error) }
      else pass(event, reports)
    },
    get: (): Answer => answer,
  }
}
