import { setTimeout as wait } from 'node:timers/promises'
import type { VidError } from '@vid/protocol'
import type { ReadyReport } from '@vid/runtime'
import { type ServedClock, type ServedTime, startServedClock } from '@vid/system'
import { captureFailure } from '../capture-errors.ts'
import type { CapturePage } from './page.ts'
import { callPage } from './page-call.ts'

type Reason = ReadyReport['pending'][number]['reason']

/**
 * Longest wait for each fact that a page needs before its first frame, in milliseconds in which nothing is done for it:
 * no file of the project is being sent, and no process of the render runs or waits for a processor.
 */
export type ReadinessLimits = Readonly<Record<Reason, number>>

export const readinessLimits: ReadinessLimits = {
  document: 30_000,
  root: 3_000,
  fonts: 10_000,
  images: 10_000,
  media: 120_000,
  promise: 30_000,
}

const CODES = {
  document: 'VID_NOT_LOADED',
  root: 'VID_ROOT_MISSING',
  fonts: 'VID_FONT_NOT_LOADED',
  images: 'VID_IMAGE_NOT_LOADED',
  media: 'VID_MEDIA_NOT_PROBED',
  promise: 'VID_PROMISE_PENDING',
} as const satisfies Record<Reason, string>

/**
 * How many times longer something may take while there is always something to do. Finite, since a page may do something
 * forever that has nothing to do with it.
 */
const BUSY_FACTOR = 12

/** Pause between two checks of the page: short at first, since most pages are ready at once. */
const pauseMs = (checks: number): number => Math.min(25, 1 + checks)

/** Says of something that is pending whether it has been so for too long. */
type Patience = (pending: ReadyReport['pending']) => VidError | undefined

const createPatience = (
  page: CapturePage,
  limits: ReadinessLimits,
  clock: ServedClock,
  isSending: () => boolean,
): Patience => {
  const since = new Map<string, ServedTime>()
  let sentMs = 0
  let lastMs = 0
  const now = (): ServedTime => {
    const { servedMs, idleMs } = clock.now()
    // Time in which a file is sent is not idle, though this machine may only wait for a disk or another server.
    if (isSending()) sentMs += idleMs - lastMs
    lastMs = idleMs
    return { servedMs, idleMs: idleMs - sentMs }
  }
  return (pending) => {
    const time = now()
    // A missing root may be in the part of the document that has not arrived yet.
    const isLoading = pending.some(({ reason }) => reason === 'document')
    for (const { reason, detail } of pending) {
      if (isLoading && reason === 'root') continue
      const key = `${reason} ${detail}`
      const start = since.get(key) ?? time
      since.set(key, start)
      const limit = limits[reason]
      const waitedMs = time.servedMs - start.servedMs
      if (time.idleMs - start.idleMs < limit && waitedMs < BUSY_FACTOR * limit) continue
      const seconds = Math.round(waitedMs / 100) / 10
      const error = captureFailure(CODES[reason], { seconds, detail: page.plain(detail) })
      // A document that is there has its root, whatever the machine lacks.
      return reason === 'root' ? error : page.late(error)
    }
    return undefined
  }
}

const untilReady = async (
  page: CapturePage,
  late: Patience,
  pump: () => Promise<unknown>,
  setMediaFacts: (sources: readonly string[]) => Promise<void>,
): Promise<ReadyReport> => {
  for (let checks = 0; ; checks++) {
    const report = await callPage(page, { doing: 'loading' }, 'readiness')
    if (report.ready) return report
    const sources = report.pending.flatMap(({ reason, detail }) => (reason === 'media' ? detail : []))
    if (sources.length > 0) await setMediaFacts(sources)
    const error = late(report.pending)
    if (error) throw error
    await page.alive(pump(), 'loading')
    await wait(pauseMs(checks), undefined, { signal: page.failure }).catch(() => page.failure.throwIfAborted())
  }
}

/** Waits until the page has all that its first frame needs, or names what is missing. */
export const waitUntilReady = async (
  page: CapturePage,
  limits: ReadinessLimits,
  /** Draws a frame if frames are drawn only on command, since some resources load at their first paint. */
  pump: () => Promise<unknown>,
  /** Probes the media sources that the page waits for, and passes it their properties. */
  setMediaFacts: (sources: readonly string[]) => Promise<void>,
  /** Whether a file is being sent to the page. */
  isSending: () => boolean,
): Promise<ReadyReport> => {
  const clock = startServedClock()
  try {
    return await untilReady(page, createPatience(page, limits, clock, isSending), pump, setMediaFacts)
  } finally {
    clock.stop()
  }
}
