// Processes of this machine, as /proc shows them to the scripts that look for those that are left.
import { readdirSync, readFileSync } from 'node:fs'

const read = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // The process has ended since it was listed.
  }
}

const fieldsOf = (pid) => {
  const stat = read(`/proc/${pid}/stat`)
  // The name, in parentheses, may hold spaces; all other fields are plain.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const childrenOf = (pid) => {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.flatMap((task) => read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean))
  } catch {
    return [] // It has ended.
  }
}

/** Living processes below `root`: number, start time and command line. */
export const descendants = (root) =>
  childrenOf(root).flatMap((name) => {
    const fields = fieldsOf(name)
    const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim()
    const children =
      fields[0] === 'Z' || fields[19] === undefined ? [] : [{ pid: Number(name), started: fields[19], command }]
    return [...children, ...descendants(name)]
  })

/** Whether a process of an earlier list still runs. */
export const isAlive = ({ pid, started }) => {
  const fields = fieldsOf(pid)
  return fields[0] !== 'Z' && fields[19] === started
}

/** Sends SIGKILL to a process that may just have ended by itself. */
export const kill = (pid) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Waits until `find` answers or the time is over. */
export const waitFor = async (find, limitMs) => {
  const end = performance.now() + limitMs
  for (;;) {
    const value = await find()
    if (value || performance.now() > end) return value
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
