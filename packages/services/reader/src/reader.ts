import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ReadInput, Reading } from '@vid/kernel'
import { createSemaphore, withinServed } from '@vid/system'
import { fail } from './errors.ts'
import { receiveError } from './sent-error.ts'
import type { ReadReply, SentTask } from './thread.ts'

/** Reads the texts of strangers in threads of their own, so that none stops what else the process does. */
export interface Reader {
  /** Runs a read task in a thread; rejects with its error, or with that of a task that takes too much. */
  readonly reading: Reading
  /** Ends the threads. */
  close(): Promise<void>
}

/** What one task may take. */
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

/** Opens a reader; its threads start with their first task, and end when they are idle. */
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
  const reply = async (task: SentTask, signal: AbortSignal): Promise<ReadReply> => {
    try {
      return await pool.run(task, { signal })
    } catch (thrown) {
      signal.throwIfAborted()
      throw isOutOfMemory(thrown) ? fail('VID_READ_MEMORY', { entry: task.input.entry, mib }) : thrown
    }
  }
  return {
    reading: <I extends ReadInput, O>(
      { module, name }: Pick<SentTask, 'module' | 'name'>,
      input: I,
      signal: AbortSignal,
    ) =>
      slots.run(async (): Promise<O> => {
        const late = () => fail('VID_READ_TIMEOUT', { entry: input.entry, seconds })
        const task = { module, name, input }
        const answer = await withinServed(seconds * 1000, (limited) => reply(task, limited), { signal, late })
        if ('error' in answer) throw receiveError(answer.error)
        return answer.value as O
      }, signal),
    close: () => pool.destroy(),
  }
}
