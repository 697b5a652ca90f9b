// What a process and everything below it costs, read from /proc.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // The process has ended since it was listed.
  }
}

let cachedTickMs
const tickMs = () => {
  cachedTickMs ??= 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return cachedTickMs
}

const readProcess = (pid) => {
  const text = read(`/proc/${pid}/stat`)
  if (text === '') return undefined
  // The name, in parentheses, may hold spaces; all other fields are plain.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
  return {
    pid,
    parent: Number(fields[1]),
    started: fields[19],
    childrenMs: (childUser + childSystem) * tickMs(),
    cpuMs: (user + system + childUser + childSystem) * tickMs(),
  }
}

/** CPU milliseconds of all children of this process that have ended, with their own ended children. */
export const reapedCpuMs = () => readProcess(process.pid).childrenMs

/** Follows the tree below `root`, also a process of it whose parent ends first. */
export const followTree = (root) => {
  const known = new Map()

  const members = () => {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readProcess(Number(name)) ?? [])
    const inTree = new Map(
      all
        .filter(({ pid, started }) => pid === root || known.get(pid) === started)
        .map((found) => [found.pid, found]),
    )
    for (let grown = true; grown; ) {
      const before = inTree.size
      for (const found of all) if (inTree.has(found.parent)) inTree.set(found.pid, found)
      grown = inTree.size > before
    }
    for (const { pid, started } of inTree.values()) known.set(pid, started)
    return [...inTree.values()]
  }

  return {
    /** Ends every living member at once. */
    kill: () => {
      for (const { pid } of members()) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch (error) {
          // It has ended since it was listed.
          if (error.code !== 'ESRCH') throw error
        }
      }
    },
    /** CPU milliseconds so far of every living member, with the children that it has reaped. */
    cpuMs: () => members().reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    /** Bytes of the tree's memory; a page that several processes share is counted once. */
    memoryBytes: () =>
      members().reduce((sum, { pid }) => {
        const [, kilobytes = 0] = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`)) ?? []
        return sum + Number(kilobytes) * 1024
      }, 0),
  }
}
