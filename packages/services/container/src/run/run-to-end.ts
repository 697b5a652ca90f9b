import type { Engine } from '../engine/find-engine.ts'
import { type ContainerEnd, startContainer } from './follow.ts'
import { removeContainer } from './owner.ts'
import { isOverfull, type WorkFolder } from './work-folder.ts'

/** Time for a render inside to end by itself once it was asked to. */
const STOP_MS = 5000

/** How often the work folder of a container is measured. */
const MEASURE_MS = 500

/** One run of a container. */
export interface ContainerRun {
  readonly name: string
  readonly words: readonly string[]
  readonly work: WorkFolder
  /** Bytes that it may write. */
  readonly limit: number
}

/** Runs a container to its end; it is stopped by the signal, and when it has filled its work folder. */
export const runToEnd = async (
  engine: Engine,
  { name, words, work, limit }: ContainerRun,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<{ readonly end: ContainerEnd; readonly isOverfull: boolean }> => {
  signal.throwIfAborted()
  const container = startContainer(engine, words, onLine)
  let overfull = false
  let isEnded = false
  let killTimer: NodeJS.Timeout | undefined
  const stopNow = () => void removeContainer(engine, name).finally(container.kill)
  const stop = () => {
    container.askToStop()
    killTimer = setTimeout(stopNow, STOP_MS)
  }
  signal.addEventListener('abort', stop, { once: true })
  let measuring: Promise<void> | undefined
  const watch = setInterval(() => {
    measuring ??= isOverfull(work.folder, limit)
      .catch(() => false)
      .then((full) => {
        measuring = undefined
        if (!full || isEnded || overfull) return
        overfull = true
        stopNow()
      })
  }, MEASURE_MS)
  try {
    const end = await container.ended
    return { end, isOverfull: overfull }
  } finally {
    isEnded = true
    clearInterval(watch)
    clearTimeout(killTimer)
    signal.removeEventListener('abort', stop)
    await measuring
  }
}
