import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { AnyCommand } from '@vid/command'
import { createReport, runLine } from '@vid/command/line'
import { isVidError } from '@vid/protocol'

/** What became of a command line. */
export interface CommandOutcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command as the command line does, in a folder (absolute), with words after its own; errors are on stderr. */
export const runInFolder = async (command: AnyCommand, cwd: string, ...words: string[]): Promise<CommandOutcome> => {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  stdin.end()
  const signal = new AbortController().signal
  const context = { stdin, stdout, stderr, env: {}, cwd, signal, unguarded: <T>(run: () => Promise<T>) => run() }
  const argv = [...command.path.split(' '), ...words]
  const code = await runLine(argv, [command], context).catch((thrown: unknown) => {
    if (!isVidError(thrown)) throw thrown
    createReport({ ...context, json: false, quiet: false }).error(thrown)
    return thrown.fault === 'caller' ? 2 : 1
  })
  stdout.end()
  stderr.end()
  return { code, stdout: await text(stdout), stderr: await text(stderr) }
}
