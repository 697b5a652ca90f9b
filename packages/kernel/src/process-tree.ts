import { readdir, readFile } from 'node:fs/promises'

/** A running process. */
export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  /** CPU time so far, in clock ticks. */
  readonly ticks: number
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
  const all = (await Promise.all(numbers.map(readProcess))).filter((each) => each !== undefined)
  const below = (parent: number): RunningProcess[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)])
  return below(root)
}
