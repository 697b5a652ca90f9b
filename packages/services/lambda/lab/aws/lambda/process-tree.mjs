// The processes of an environment as one: frozen, thawed, measured and killed together.
import { readFileSync } from 'node:fs'
import { descendants, kill } from '../../../../../../e2e/long/support/processes.mjs'

const signal = (pid, name) => {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

const tree = (pid) => [...new Set([pid, ...descendants(pid).map((child) => child.pid)])]

/** Stops all processes; the first one first, so that it starts no other meanwhile. */
export const freeze = (pid) => {
  for (const member of tree(pid)) signal(member, 'SIGSTOP')
}

/** Lets all processes go on. */
export const thaw = (pid) => {
  for (const member of tree(pid).reverse()) signal(member, 'SIGCONT')
}

/** Kills all processes. */
export const killTree = (pid) => {
  for (const member of tree(pid)) kill(member)
}

/** Memory that the processes hold together, in bytes: pages that several share count once. */
export const memoryOf = (pid) =>
  tree(pid)
    .map((member) => {
      try {
        const text = readFileSync(`/proc/${member}/smaps_rollup`, 'utf8')
        return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
      } catch {
        return 0 // It has ended.
      }
    })
    .reduce((sum, bytes) => sum + bytes, 0)
