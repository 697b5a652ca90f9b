import { describeCause, type ErrorData, isVidError, VidError } from '@vid/protocol'

/** Facts of the system about an error, by which faults of the machine are known. */
interface SystemFacts {
  readonly code?: string
  readonly errno?: number
  readonly syscall?: string
}

/** An error on its way between threads, where a copy is no longer of its class. */
export interface SentError {
  readonly coded?: { readonly data: ErrorData; readonly isFinal: boolean; readonly facts: object }
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  readonly system: SystemFacts
  readonly cause?: SentError
}

/** Errors of the language that are told apart by their class. */
const CLASSES = { RangeError, SyntaxError, TypeError, URIError } as const

const hasClass = (name: string): name is keyof typeof CLASSES => name in CLASSES

const systemFacts = (thrown: object): SystemFacts => {
  const { code, errno, syscall } = thrown as SystemFacts
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof errno === 'number' && { errno }),
    ...(typeof syscall === 'string' && { syscall }),
  }
}

/** What was thrown, as data. */
export const sendError = (thrown: unknown): SentError => {
  if (!(thrown instanceof Error) && !isVidError(thrown))
    return { name: 'Error', message: describeCause(thrown), system: {} }
  const { name, message, stack, cause } = thrown
  const base = { name, message, stack, ...(cause !== undefined && { cause: sendError(cause) }) }
  if (!isVidError(thrown)) return { ...base, system: systemFacts(thrown) }
  const facts = JSON.parse(JSON.stringify(thrown.facts))
  return { ...base, system: {}, coded: { data: thrown.toJSON(), isFinal: thrown.final, facts } }
}

/** The error that was sent. */
export const receiveError = ({ coded, name, message, stack, system, cause: sent }: SentError): Error => {
  const options = sent && { cause: receiveError(sent) }
  if (coded) {
    const { data, isFinal, facts } = coded
    return new VidError(data.code, { ...data, ...(isFinal && { final: true }) }, facts, { ...data, ...options })
  }
  const error = hasClass(name) ? new CLASSES[name](message, options) : new Error(message, options)
  return Object.assign(error, { name, ...system, ...(stack !== undefined && { stack }) })
}
