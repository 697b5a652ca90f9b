import { PassThrough, Writable } from 'node:stream'
import { type CommandContext, type Progress, silentProgress } from '@vid/command'
import { executeCommand, type Written } from '@vid/command/line'
import type { Tool } from './tool.ts'

/** How far a call is. */
export interface CallProgress {
  readonly done: number
  readonly total: number
  /** Such as `checking`. */
  readonly doing: string
}

/** What a call of a tool needs besides its line. */
export interface CallContext extends Pick<CommandContext, 'cwd' | 'env' | 'roots' | 'signal' | 'unguarded'> {
  onProgress(progress: CallProgress): void
}

/** What a command has reported. */
export interface CommandReport {
  /** The last event of the tool's type; undefined where the command reported none. */
  readonly result: Readonly<Record<string, unknown>> | undefined
  /** What it wrote for people besides: warnings, and the console of the page. */
  readonly remarks: string
}

/** A stream that keeps what is written to it, up to a limit. */
const keptText = (maxLength: number) => {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      if (text.length < maxLength) text += String(chunk)
      done()
    },
  })
  return { stream, text: () => text }
}

/** Keeps the last event of one type among the lines that are written to it. */
const lastEvent = (type: string) => {
  let rest = ''
  let event: Readonly<Record<string, unknown>> | undefined
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const lines = `${rest}${String(chunk)}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const value = JSON.parse(line) as Readonly<Record<string, unknown>>
        if (value.type === type) event = value
      }
      done()
    },
  })
  return { stream, event: () => event }
}

const progressOf = ({ onProgress }: CallContext): Progress => ({
  ...silentProgress,
  // What commands count, they count for those alone who see it change.
  isLive: true,
  update: ({ stage, framesRendered, totalFrames }) =>
    onProgress({ doing: stage, done: framesRendered, total: totalFrames }),
  count: (doing, done, total) => onProgress({ doing, done, total }),
})

const MAX_REMARKS = 20_000

/** Runs the command of a tool as its command line does, and keeps what it reports. */
export const runCommand = async (tool: Tool, line: Written, context: CallContext): Promise<CommandReport> => {
  const stdin = new PassThrough()
  stdin.end()
  const events = lastEvent(tool.event)
  const remarks = keptText(MAX_REMARKS)
  const commandContext: CommandContext = {
    stdin,
    stdout: events.stream,
    stderr: remarks.stream,
    env: context.env,
    cwd: context.cwd,
    ...(context.roots && { roots: context.roots }),
    signal: context.signal,
    unguarded: context.unguarded,
  }
  await executeCommand(tool.command, line, commandContext, { progress: progressOf(context) })
  return { result: events.event(), remarks: remarks.text() }
}
