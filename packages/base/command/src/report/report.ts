import {
  type ConsoleMessage,
  isVidError,
  printableLines,
  type VidError,
  type VidEvent,
  type Warning,
  withoutCredentials,
} from '@vid/protocol'
import { wantsStacks } from '@vid/system'
import { createPaint } from './paint.ts'

/** Where a command writes, and how. */
export interface ReportOptions {
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly env: NodeJS.ProcessEnv
  readonly json: boolean
  readonly quiet: boolean
}

/** An event of a package by others: its type has a slash, such as `storyboard/scene`, which no type of vid has. */
export interface ForeignEvent {
  readonly type: `${string}/${string}`
  readonly [key: string]: unknown
}

/** Writes readable text to stderr and results to stdout. */
export interface Report {
  /** A line of readable text; silent with --quiet. */
  note(text: string): void
  warn(warning: Warning): void
  /** What a page wrote to its console. */
  console(message: ConsoleMessage): void
  error(error: VidError): void
  /** A result, on stdout, unless events are written there. */
  result(text: string): void
  /** One event with --json. */
  event(event: VidEvent | ForeignEvent): void
}

/** A part of vid that users do not configure, unlike `@vid/store-s3`, so its name does not help them. */
const BUILT_IN = /^@vid\/[a-z]+(?:\/[a-z]+)?$/

export const createReport = (options: ReportOptions): Report => {
  const { stdout, stderr, env, json, quiet } = options
  const paint = createPaint(stderr, env)
  const write = (text: string) => stderr.write(`${text}\n`)
  const hintLine = (hint: string) => `  ${paint('faint', 'hint:')} ${printableLines(hint)}`

  const writeError = (error: VidError) => {
    const { errors } = error.facts
    if (Array.isArray(errors) && errors.length > 0 && errors.every(isVidError)) {
      for (const error of errors) writeError(error)
      return
    }
    write(`${paint('bad', 'error')} ${error.code}: ${printableLines(error.message)}`)
    if (error.plugin && (!BUILT_IN.test(error.plugin) || wantsStacks(env)))
      write(`  plugin: ${error.plugin}${error.hook ? `, hook ${error.hook}` : ''}`)
    if (error.hint) write(hintLine(error.hint))
    if (wantsStacks(env))
      for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
        write(printableLines(withoutCredentials(cause.stack ?? String(cause))))
  }
  return {
    note: (text) => void (quiet || write(text)),
    warn: ({ code, message, hint }) => {
      if (quiet) return
      write(`${paint('doubtful', 'warning')} ${code}: ${printableLines(message)}`)
      if (hint) write(hintLine(hint))
    },
    console: ({ level, text, count }) => {
      // An error is a warning too, and has been shown.
      if (quiet || level === 'error') return
      const times = count > 1 ? ` (${count} times)` : ''
      write(`${paint('faint', `console.${level}${times}:`)} ${printableLines(text).replaceAll('\n', '\n  ')}`)
    },
    error: writeError,
    result: (text) => void (json || stdout.write(`${text}\n`)),
    event: (event) => void (json && stdout.write(`${JSON.stringify(event)}\n`)),
  }
}
