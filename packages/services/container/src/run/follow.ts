import { spawn } from 'node:child_process'
import { engineEnvironment } from '../engine/engine-call.ts'
import type { Engine } from '../engine/find-engine.ts'

/** A line longer than this is none of vid. */
const MAX_LINE = 16 * 1024 * 1024

const MAX_STDERR = 16 * 1024

/** How a container has ended. */
export interface ContainerEnd {
  /** Exit code of the engine's program, or the name of the signal that ended it. */
  readonly exit: number | string
  /** The end of what was written to stderr. */
  readonly stderr: string
  /** Whether the container has written anything that was asked for, so that it had started. */
  readonly hasAnswered: boolean
}

/** A container that runs. */
export interface RunningContainer {
  readonly ended: Promise<ContainerEnd>
  /** Tells it to stop, by closing what it reads from; a render inside then ends as by Ctrl-C. */
  askToStop(): void
  /** Ends the engine's program at once. */
  kill(): void
}

/** Cuts a stream into lines; a line that never ends stops the whole. */
const createLines = (onLine: (line: string) => void, onTooLong: () => void) => {
  let rest = ''
  return (text: string): void => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') onLine(line)
    if (rest.length <= MAX_LINE) return
    rest = ''
    onTooLong()
  }
}

/**
 * Starts a container and passes on what it writes, line by line. Its standard input stays open as long as this process
 * lives: that it ends is what tells a container whose command was killed.
 */
export const startContainer = (
  engine: Engine,
  words: readonly string[],
  onLine: (line: string) => void,
): RunningContainer => {
  const child = spawn(engine.program, words, {
    env: engineEnvironmentWith(engine, words),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group: this process handles a terminal's Ctrl-C.
    detached: true,
  })
  const kill = () => void child.kill('SIGKILL')
  let stderr = ''
  let hasAnswered = false
  child.stdout.setEncoding('utf8').on(
    'data',
    createLines((line) => {
      hasAnswered = true
      onLine(line)
    }, kill),
  )
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR)
  })
  // The container may have ended before the stop request.
  child.stdin.on('error', () => {})
  const ended = new Promise<ContainerEnd>((resolve) => {
    child.once('error', (cause) => resolve({ exit: 'not started', stderr: cause.message, hasAnswered }))
    child.once('close', (code, signal) => resolve({ exit: code ?? signal ?? 'unknown', stderr, hasAnswered }))
  })
  return { ended, askToStop: () => void child.stdin.end(), kill }
}

/** The variables of the engine's program, with those that the words pass on by name: their values are in no word. */
const engineEnvironmentWith = (engine: Engine, words: readonly string[]): Record<string, string> => {
  const names = words.filter((word, index) => words[index - 1] === '--env' && !word.includes('='))
  return {
    ...engineEnvironment(engine.env),
    ...Object.fromEntries(names.map((name) => [name, engine.env[name] ?? ''])),
  }
}
