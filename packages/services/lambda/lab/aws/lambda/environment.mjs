// One environment of a function: a fresh process, calls one after the other, frozen between them.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { descendants } from '../../../../../../e2e/long/support/processes.mjs'
import { freeze, killTree, memoryOf, thaw } from './process-tree.mjs'
import { startRuntimeApi } from './runtime-api.mjs'
import { startRuntime } from './sandbox.mjs'

const MEMORY_WATCH_MS = 250
const MEBIBYTE = 2 ** 20

const crash = (errorType, problem) => (requestId) => ({
  functionError: 'Unhandled',
  payload: Buffer.from(JSON.stringify({ errorType, errorMessage: `RequestId: ${requestId} Error: ${problem}` })),
})
const timedOut = (limit) => crash('Sandbox.Timedout', `Task timed out after ${limit.toFixed(2)} seconds`)
const exited = (how) => crash('Runtime.ExitError', `Runtime exited with error: ${how}`)
const TOO_LARGE = crash(
  'Function.ResponseSizeTooLarge',
  'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
)

/**
 * @typedef {object} Outcome
 * @property {string} [functionError]
 * @property {Buffer} payload
 */

/**
 * Starts an environment of a function as it is now.
 * @param {object} options
 * @param {string} options.folder of the environment, removed with it
 * @param {number} options.initSeconds
 * @param {(line: string) => void} options.log
 * @param {object} options.fn name, arn, memory, timeout, tmp, code, variables
 * @param {object} options.machine words, node and hidden of `startRuntime`
 * @param {(environment: object) => Promise<{ port: number, close: () => Promise<void> }>} options.openS3 its own way to S3
 */
export const startEnvironment = async ({ fn, folder, initSeconds, log, machine, openS3 }) => {
  mkdirSync(folder, { recursive: true })
  const self = { isBusy: false, isDead: false, calls: 0, fn, peakBytes: 0 }
  /** What the call that runs now, or the start, waits for. */
  let settle = () => {}
  let child
  /** Settles when the process has ended. */
  let closed = Promise.resolve()
  const isRunning = () => child && child.exitCode === null && child.signalCode === null
  /** How the processes were ended from here. */
  let ending
  const wait = () =>
    new Promise((resolve) => {
      settle = resolve
    })

  const api = await startRuntimeApi({
    onReady: () => settle({ isReady: true }),
    onEnd: (_, kind, body) => {
      if (!body) settle({ end: TOO_LARGE })
      else settle({ end: () => ({ ...(kind === 'error' && { functionError: 'Unhandled' }), payload: body }) })
    },
    onInitError: (body) => settle({ end: () => ({ functionError: 'Unhandled', payload: body }), isInit: true }),
  })
  const s3 = await openS3(self)

  const kill = (reason) => {
    ending ??= reason
    if (isRunning()) killTree(child.pid)
  }
  const start = () => {
    ending = undefined
    const env = {
      ...fn.variables,
      AWS_LAMBDA_RUNTIME_API: api.address,
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${s3.port}`,
    }
    const { tmpBytes, code } = fn
    const started = startRuntime({ ...machine, code, tmpBytes, folder, env })
    child = started
    for (const stream of [started.stdout, started.stderr]) createInterface({ input: stream }).on('line', log)
    started.on('error', (error) => settle({ end: exited(error.message) }))
    closed = new Promise((resolve) => started.on('close', resolve))
    started.on('close', (code, signal) => {
      if (child !== started) return
      self.isDead = true
      const how = signal ? `signal: ${signal === 'SIGKILL' ? 'killed' : signal}` : `exit status ${code}`
      settle({ end: ending ?? exited(code === 137 ? 'signal: killed' : how) })
    })
    return wait()
  }
  const after = (ms, reason) => {
    const timer = setTimeout(() => kill(reason), ms)
    return () => clearTimeout(timer)
  }
  const checkMemory = () => {
    const bytes = memoryOf(child.pid)
    self.peakBytes = Math.max(self.peakBytes, bytes)
    if (bytes > fn.memory * MEBIBYTE) kill(exited('signal: killed'))
  }
  const watchMemory = () => {
    const timer = setInterval(checkMemory, MEMORY_WATCH_MS)
    return () => clearInterval(timer)
  }
  /** Starts the process: at first within the time of a start, and once more within that of the call. */
  const init = async (deadlineMs) => {
    const isOver = timedOut(initSeconds)
    const stop = after(initSeconds * 1000, isOver)
    const first = await start()
    stop()
    if (first.end !== isOver) return first
    self.isDead = false
    const stopAgain = after(Math.max(deadlineMs() - Date.now(), 0), timedOut(fn.timeout))
    const second = await start()
    stopAgain()
    return second
  }
  /**
   * Runs one call.
   * @param {string} requestId
   * @param {Buffer} payload
   */
  const invoke = async (requestId, payload) => {
    self.isBusy = true
    const isCold = self.calls === 0
    self.calls += 1
    const startedMs = Date.now()
    let stopWatch = () => {}
    let initMs = 0
    try {
      if (isCold) {
        const started = init(() => startedMs + fn.timeout * 1000)
        stopWatch = watchMemory()
        const { end } = await started
        initMs = Date.now() - startedMs
        if (end) {
          self.isDead = true
          kill(end)
          return { ...end(requestId), initMs, durationMs: 0, isCold }
        }
      } else {
        thaw(child.pid)
        stopWatch = watchMemory()
      }
      const callMs = Date.now()
      const deadlineMs = callMs + fn.timeout * 1000
      const stop = after(fn.timeout * 1000, timedOut(fn.timeout))
      const ended = wait()
      api.give({ requestId, payload, arn: fn.arn, deadlineMs })
      const { end } = await ended
      const durationMs = Date.now() - callMs
      // The runtime asks for the next call before it is frozen.
      if (!self.isDead) await Promise.race([wait(), closed])
      stop()
      if (self.isDead) return { ...end(requestId), initMs, durationMs, isCold }
      self.peakBytes = Math.max(self.peakBytes, memoryOf(child.pid))
      freeze(child.pid)
      return { ...end(requestId), initMs, durationMs, isCold }
    } finally {
      stopWatch()
      self.isBusy = false
    }
  }
  const close = async () => {
    self.isDead = true
    kill(exited('signal: killed'))
    await closed
    await Promise.all([api.close(), s3.close()])
    rmSync(folder, { recursive: true, force: true })
  }
  return Object.assign(self, {
    invoke,
    close,
    /** Ends it as a fault of the machine does. */
    kill: () => kill(exited('signal: killed')),
    /** What lies in its /tmp. */
    tmpFiles: () => {
      const inside = machine.words && descendants(child.pid).at(-1)?.pid
      try {
        return readdirSync(join(inside ? `/proc/${inside}/root` : folder, 'tmp')).sort()
      } catch {
        return [] // It has ended.
      }
    },
    /** Stops it until its time is over. */
    stall: () => freeze(child.pid),
  })
}
