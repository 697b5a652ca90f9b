// Runs a command and measures its whole process tree.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { followTree, reapedCpuMs } from './process-tree.mjs'

const CPU_EVERY_MS = 200
const MEMORY_EVERY_MS = 200
/** What a command that is stopped may take for its clean-up. */
const STOPPING_MS = 10_000

/**
 * Runs `command` to its end; `onLine(line, reading)` sees each line of its stdout with the time and the CPU so far.
 * `env` is its environment, default ours. Gives wall and CPU milliseconds, the most browsers that ran at once and, with
 * `memory`, the peak of the summed memory in bytes, and what it was made of.
 */
export const measureRun = async (command, args, { onLine = () => {}, memory = false, env, signal } = {}) => {
  const reapedBefore = reapedCpuMs()
  const from = performance.now()
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env, signal })
  const tree = followTree(child.pid)
  const peak = { cpuMs: 0, browsers: 0, memoryBytes: 0, memoryParts: {} }
  const sampleCpu = () => {
    peak.cpuMs = Math.max(peak.cpuMs, tree.cpuMs())
    peak.browsers = Math.max(peak.browsers, tree.browsers())
  }
  const sampleMemory = () => {
    const parts = tree.memoryByPart()
    const bytes = Object.values(parts).reduce((sum, part) => sum + part, 0)
    if (bytes > peak.memoryBytes) Object.assign(peak, { memoryBytes: bytes, memoryParts: parts })
  }
  const timers = [setInterval(sampleCpu, CPU_EVERY_MS), ...(memory ? [setInterval(sampleMemory, MEMORY_EVERY_MS)] : [])]
  createInterface({ input: child.stdout }).on('line', (line) => {
    const atMs = performance.now() - from
    onLine(line, () => {
      sampleCpu()
      return { wallMs: atMs, cpuMs: peak.cpuMs }
    })
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-4000)
  })
  try {
    const code = await new Promise((resolve, reject) => {
      child.on('error', (error) => {
        // Nothing of it may outlive this: it is awaited, and ended with all its processes if it takes too long.
        if (signal?.aborted) timers.push(setTimeout(tree.kill, STOPPING_MS))
        else reject(error)
      })
      child.on('close', resolve)
    })
    signal?.throwIfAborted()
    const wallMs = performance.now() - from
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stderr}`)
    // Exact when every process was reaped by its parent; the samples know those that were not.
    return {
      wallMs,
      browsers: peak.browsers,
      cpuMs: Math.max(reapedCpuMs() - reapedBefore, peak.cpuMs),
      ...(memory && { memoryBytes: peak.memoryBytes, memoryParts: peak.memoryParts }),
    }
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
