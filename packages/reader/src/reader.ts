import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LoadedComposition } from '@vid/core'
import type { Finding } from '@vid/core/lint'
import { type ErrorData, VidError } from '@vid/kernel'
import { createSemaphore, withinServed } from '@vid/system'
import { fail } from './errors.ts'

/** A task of a thread that reads compositions. */
export type ReadTask =
  | { readonly kind: 'lint'; readonly projectDir: string; readonly entry: string; readonly alpha: boolean }
  | { readonly kind: 'load'; readonly projectDir: string; readonly entry: string; readonly shape?: string }

/** What a thread answers. */
export type ReadReply =
  | { readonly value: unknown }
  | { readonly error: { readonly data: ErrorData; readonly facts: object } }

/** The first findings about a composition, and how many there are of each severity. */
export interface BoundedFindings {
  readonly findings: readonly Finding[]
  readonly errors: number
  readonly warnings: number
}

interface ReadOptions {
  readonly signal: AbortSignal
}

/** Reads the compositions of strangers in threads of their own, so that none stops what else the process does. */
export interface Reader {
  lint(projectDir: string, entry: string, options: ReadOptions & { readonly alpha: boolean }): Promise<BoundedFindings>
  load(
    projectDir: string,
    entry: string,
    options: ReadOptions & { readonly shape?: string | undefined },
  ): Promise<LoadedComposition>
  /** Ends the threads. */
  close(): Promise<void>
}

/** What reading one composition may take. */
export interface ReaderLimits {
  /** Served time, so that a busy machine is no fault of the composition. Those of people take less than a second. */
  readonly seconds: number
  /** Memory of one thread, which holds a document of the largest size several times. */
  readonly mib: number
}

const LIMITS: ReaderLimits = { seconds: 120, mib: 1024 }
const THREADS = 2
const IDLE_MS = 30_000

/** In the build, which has its libraries beside it; the same place from the sources. */
const THREAD = fileURLToPath(new URL('../dist/thread.js', import.meta.url))

const isOutOfMemory = (thrown: unknown): boolean =>
  (thrown as { readonly code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'

/**
 * Opens a reader; its threads start with their first task, and end when they are idle. What a thread throws that is no
 * `VidError` is thrown as it is: a fault of this machine or of the product.
 */
export const openReader = async ({ seconds, mib }: ReaderLimits = LIMITS): Promise<Reader> => {
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
    resourceLimits: { maxOldGenerationSizeMb: mib },
  })
  // A task that waits for a thread has no time limit yet: others take that time.
  const slots = createSemaphore(THREADS)
  const reply = async (task: ReadTask, signal: AbortSignal): Promise<ReadReply> => {
    try {
      return await pool.run(task, { signal })
    } catch (thrown) {
      signal.throwIfAborted()
      throw isOutOfMemory(thrown) ? fail('VID_READ_MEMORY', { entry: task.entry, mib }) : thrown
    }
  }
  const run = (task: ReadTask, signal: AbortSignal): Promise<unknown> =>
    slots.run(async () => {
      const late = () => fail('VID_READ_TIMEOUT', { entry: task.entry, seconds })
      const answer = await withinServed(seconds * 1000, (limited) => reply(task, limited), { signal, late })
      if ('value' in answer) return answer.value
      const { data, facts } = answer.error
      throw new VidError(data.code, data, facts)
    }, signal)
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
