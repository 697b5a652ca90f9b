import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LoadedComposition } from '@vid/core'
import type { Finding } from '@vid/core/lint'
import { type ErrorData, VidError } from '@vid/kernel'
import { fail } from './errors.ts'

/** A task of a thread that reads compositions. */
export type ApartTask =
  | { readonly kind: 'lint'; readonly projectDir: string; readonly entry: string; readonly alpha: boolean }
  | { readonly kind: 'load'; readonly projectDir: string; readonly entry: string; readonly shape?: string }

/** What a thread answers. */
export type ApartReply =
  | { readonly value: unknown }
  | { readonly error: { readonly data: ErrorData; readonly facts: object } }

/** The first findings about a composition, and how many there are of each severity. */
export interface BoundedFindings {
  readonly findings: readonly Finding[]
  readonly errors: number
  readonly warnings: number
}

/** Reads the compositions of strangers in threads of their own, so that none stops what else the process does. */
export interface ApartReader {
  lint(projectDir: string, entry: string, options: ApartOptions & { readonly alpha: boolean }): Promise<BoundedFindings>
  load(
    projectDir: string,
    entry: string,
    options: ApartOptions & { readonly shape?: string | undefined },
  ): Promise<LoadedComposition>
  /** Ends the threads. */
  close(): Promise<void>
}

interface ApartOptions {
  readonly signal: AbortSignal
}

const THREADS = 2
/** Memory of one thread, which holds a document of the largest size several times. */
const MEMORY_MIB = 1024
/** Longest time for one composition; those of people take less than a second. */
const DEADLINE_MS = 120_000
const IDLE_MS = 30_000

/** In the build, which has its libraries beside it; the same place from the sources. */
const THREAD = fileURLToPath(new URL('../dist/apart-thread.js', import.meta.url))

const isOutOfMemory = (thrown: unknown): boolean =>
  (thrown as { readonly code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** Opens a reader; its threads start with their first task, and end when they are idle. */
export const openApartReader = async (): Promise<ApartReader> => {
  if (!existsSync(THREAD)) throw new Error(`${THREAD} is missing: build the package.`)
  const { default: Pool } = await import('tinypool')
  const pool = new Pool({
    filename: THREAD,
    // Those of this process may be about its sources, and a thread loads the build.
    execArgv: [],
    runtime: 'worker_threads',
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  })
  const run = async (task: ApartTask, signal: AbortSignal): Promise<unknown> => {
    // The time in the queue does not count: other compositions take that.
    const deadline = AbortSignal.timeout(DEADLINE_MS * (1 + Math.ceil(pool.queueSize / THREADS)))
    signal.throwIfAborted()
    try {
      const reply: ApartReply = await pool.run(task, { signal: AbortSignal.any([signal, deadline]) })
      if ('value' in reply) return reply.value
      const { data, facts } = reply.error
      throw new VidError(data.code, data, facts)
    } catch (thrown) {
      signal.throwIfAborted()
      if (deadline.aborted) throw fail('VID_READ_TIMEOUT', { entry: task.entry, seconds: DEADLINE_MS / 1000 })
      if (isOutOfMemory(thrown)) throw fail('VID_READ_MEMORY', { entry: task.entry, mib: MEMORY_MIB })
      throw thrown
    }
  }
  return {
    lint: async (projectDir, entry, { alpha, signal }) =>
      (await run({ kind: 'lint', projectDir, entry, alpha }, signal)) as BoundedFindings,
    load: async (projectDir, entry, { shape, signal }) =>
      (await run(
        { kind: 'load', projectDir, entry, ...(shape !== undefined && { shape }) },
        signal,
      )) as LoadedComposition,
    close: () => pool.destroy(),
  }
}
