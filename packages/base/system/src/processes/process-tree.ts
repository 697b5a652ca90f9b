import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** A running process. */
export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  /** CPU time so far, in clock ticks. */
  readonly ticks: number
}

/** State and start time of a process, from /proc; empty where they cannot be read. */
const lifeOf = (pid: number): { readonly state?: string | undefined; readonly start?: string | undefined } => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], start: fields[19] }
  } catch {
    return {}
  }
}

/** Start time of a process in system ticks, which distinguishes it from a later one with the same pid; undefined where unknown. */
export const processStart = (pid: number): string | undefined => lifeOf(pid).start

/** Whether a process runs, begun at `start` where that is known: one that has ended and waits for its parent does not. */
export const isProcessAlive = (pid: number, start?: string): boolean => {
  try {
    process.kill(pid, 0)
  } catch (cause) {
    // It belongs to another user.
    if ((cause as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const life = lifeOf(pid)
  if (life.state === 'Z' || life.state === 'X') return false
  // The table of processes may hide those of other users.
  return start === undefined || life.start === undefined || life.start === start
}

const readProcess = async (pid: number): Promise<RunningProcess | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name before the last parenthesis may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number)
  return stat === '' ? undefined : { pid, parent: parent ?? 0, ticks: (user ?? 0) + (system ?? 0) }
}

/** The processes below one, from /proc; empty on other systems than Linux. */
export const processesBelow = async (root: number): Promise<readonly RunningProcess[]> => {
  const names = await readdir('/proc').catch(() => [])
  const numbers = names.filter((name) => /^\d+$/.test(name)).map(Number)
  const processes = (await Promise.all(numbers.map(readProcess))).filter((entry) => entry !== undefined)
  const below = (parent: number): RunningProcess[] =>
    processes.filter((entry) => entry.parent === parent).flatMap((entry) => [entry, ...below(entry.pid)])
  return below(root)
}
