import { setTimeout as wait } from 'node:timers/promises'
import type { VidError } from '@vid/kernel'
import type { ReadyReport } from '@vid/runtime'
import { captureFailure } from '../capture-errors.ts'
import type { CapturePage } from './page.ts'
import { callPage } from './page-call.ts'

type Reason = ReadyReport['pending'][number]['reason']

/** Longest wait for each fact that a page needs before its first frame, in milliseconds. */
export type ReadinessLimits = Readonly<Record<Reason, number>>

/** Local files load quickly; one that takes longer than this never loads. */
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

/** Pause between two checks of the page: short at first, since most pages are ready at once. */
const pauseMs = (checks: number): number => Math.min(25, 1 + checks)

/** Waits until the page has all that its first frame needs, or names what is missing. */
export const waitUntilReady = async (
  page: CapturePage,
  limits: ReadinessLimits,
  /** Draws a frame if frames are drawn only on command, since some resources load at their first paint. */
  pump: () => Promise<unknown>,
  /** Probes the media sources that the page waits for, and passes it their properties. */
  setMediaFacts: (sources: readonly string[]) => Promise<void>,
): Promise<ReadyReport> => {
  const since = new Map<string, number>()
  const late = ({ reason, detail }: ReadyReport['pending'][number]): VidError | undefined => {
    const key = `${reason} ${detail}`
    const start = since.get(key) ?? performance.now()
    since.set(key, start)
    if (performance.now() - start < limits[reason]) return undefined
    return captureFailure(CODES[reason], { seconds: limits[reason] / 1000, detail: page.plain(detail) })
  }
  for (let checks = 0; ; checks++) {
    const report = await callPage(page, { doing: 'loading' }, 'readiness')
    if (report.ready) return report
    const loading = report.pending.some(({ reason }) => reason === 'document')
    const sources = report.pending.flatMap(({ reason, detail }) => (reason === 'media' ? detail : []))
    if (sources.length > 0) await setMediaFacts(sources)
    for (const pending of report.pending) {
      // A missing root may be in the part of the document that has not arrived yet.
      if (loading && pending.reason === 'root') continue
      const error = late(pending)
      if (error) throw error
    }
    await page.alive(pump(), 'loading')
    await wait(pauseMs(checks), undefined, { signal: page.failure }).catch(() => page.failure.throwIfAborted())
  }
}
