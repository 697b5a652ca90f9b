import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** Groups that run, killed when this process exits before they have ended. */
const running = new Set<ChildProcess>()

/** Kills a program that leads a process group, and all processes that it has started and left in the group. */
export const killGroup = ({ pid }: Pick<ChildProcess, 'pid'>): void => {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const killAll = (): void => {
  for (const child of running) killGroup(child)
}

/** Starts a program as the leader of a process group, which is killed when the signal aborts or this process exits. */
export const spawnGroup = (
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  signal: AbortSignal,
): ChildProcess => {
  signal.throwIfAborted()
  const child = spawn(program, args, { ...options, detached: process.platform !== 'win32' })
  const onAbort = () => killGroup(child)
  if (running.size === 0) process.on('exit', killAll)
  running.add(child)
  signal.addEventListener('abort', onAbort, { once: true })
  const forget = () => {
    signal.removeEventListener('abort', onAbort)
    running.delete(child)
    if (running.size === 0) process.off('exit', killAll)
  }
  child.once('exit', () => {
    // What it has left behind would keep its pipes open, and delay their end forever.
    killGroup(child)
    forget()
  })
  child.once('error', forget)
  return child
}
