// How much memory a process and all that it has started take.
import { readdirSync, readFileSync } from 'node:fs'

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Ids of a process and of all below it. */
export const treeOf = (root) => {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        const stat = read(`/proc/${pid}/stat`)
        return [Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]
      }),
  )
  const isBelow = (pid) => pid === root || (parents.has(pid) && pid > 1 && isBelow(parents.get(pid)))
  return [...parents.keys()].filter(isBelow)
}

/** Bytes that a tree of processes takes; what several of them share is counted once. */
export const memoryOf = (root) =>
  treeOf(root).reduce((sum, pid) => {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`)) ?? []
    return sum + Number(kilobytes) * 1024
  }, 0)

/** Encoders that run below a process: one for each worker that renders a segment. */
export const encodersOf = (root) =>
  treeOf(root).filter((pid) => {
    const [program = '', ...words] = read(`/proc/${pid}/cmdline`).split('\0')
    return /\bffmpeg$/.test(program) && words.includes('pipe:0')
  }).length
