import childProcess, { type ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'

interface Spawning {
  stdio?: unknown
}

const OUT = 1
const ERR = 2

/** Where a child writes whose stdout would be that of this process: to stderr. */
const withoutStdout = <O extends Spawning>(options: O): O => {
  const { stdio } = options
  const isOwn = (value: unknown) => value === 'inherit' || value === OUT
  if (stdio === 'inherit') return { ...options, stdio: ['inherit', ERR, 'inherit'] }
  if (!Array.isArray(stdio) || !isOwn(stdio[OUT])) return options
  return { ...options, stdio: stdio.map((value, index) => (index === OUT ? ERR : value)) }
}

const isSpawning = (value: unknown): value is Spawning =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Does the same for children that are waited for without a turn of the event loop. */
const redirectSyncChildren = (): void => {
  const functions = childProcess as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) {
    const original = functions[name]
    if (original)
      functions[name] = (...args) => original(...args.map((arg) => (isSpawning(arg) ? withoutStdout(arg) : arg)))
  }
  syncBuiltinESMExports()
}

const redirectChildren = (): void =>
  subscribe('child_process', (message) => {
    // Node reports a child before it starts it.
    const { process: child } = message as { process: ChildProcess & { spawn(options: Spawning): unknown } }
    const { spawn } = child
    child.spawn = (options) => spawn.call(child, withoutStdout(options))
  })

/** Lets the programs that are started from now on write to stderr where they would write to the stdout of this process. */
export const keepChildrenOffStdout = (): void => {
  redirectChildren()
  redirectSyncChildren()
}

/** Leaves the stdout of this process to its caller, who gets it: what else is written to it goes to stderr from now on. */
export const reserveStdout = (): NodeJS.WriteStream => {
  const { stdout } = process
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => process.stderr })
  return stdout
}

/**
 * Lets `process.exit` throw from now on, after telling `onCall` of it: code that a command runs cannot end what else the
 * command does, nor say that it has succeeded.
 */
export const refuseExits = (onCall: (error: Error) => void): void => {
  process.exit = (code) => {
    const error = new Error(`it called process.exit(${code ?? ''}), which would end everything that runs beside it`)
    onCall(error)
    throw error
  }
}
