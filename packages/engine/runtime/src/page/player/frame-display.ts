import type { PageMedia } from '../../contract/media.ts'
import type { PageHost } from '../../contract/page-host.ts'
import type { ElementPatch, FrameReport, FrameRequest, PlayerPageCalls } from '../../contract/player.ts'
import type { ProbeReport } from '../../contract/probe.ts'
import { createFreshPaint } from '../document/fresh-paint.ts'
import { createSeek } from '../frame/seek.ts'
import type { Page } from '../page.ts'
import { createRevival } from './backward.ts'
import type { MediaServer } from './media-server.ts'
import { createNativeVideos } from './native-videos.ts'
import { painted } from './painted.ts'
import { patchElement } from './patch.ts'
import { browser } from './player-natives.ts'
import { type Emit, fault } from './port.ts'
import { visibleAmount } from './visible-amount.ts'

/** Frames of a replay between two reports of it. */
const REPLAY_STEP = 10

/** The parts that show frames. */
export interface DisplayParts {
  readonly host: PageHost
  readonly page: Page
  readonly media: MediaServer
  readonly probe: ProbeReport
  /** Seconds of the whole composition. */
  readonly duration: number
  readonly emit: Emit
}

/** Removes the pictures set on videos, so that they show their own. */
const noPictures = (videos: readonly PageMedia[]) => videos.map(({ id }) => ({ id, first: 0, urls: [] }))

/** Number of frames that are examined for the poster. */
const POSTER_SAMPLES = 24

/** Time limit for examining frames, in milliseconds. */
const POSTER_MS = 1000

/** Share of the fullest frame's content from which a frame is suitable. */
const MUCH = 0.6

/** Creates the display of frames of a page that has begun. */
export const createDisplay = (parts: DisplayParts): Pick<PlayerPageCalls, 'show' | 'findPoster' | 'patch'> => {
  const { host, page, media, probe, duration, emit } = parts
  const videos = probe.media.filter(({ kind }) => kind === 'video')
  const natively = createNativeVideos(page, probe.media)
  const revive = createRevival(page)
  const paintFresh = createFreshPaint(page)
  const newSeek = () => createSeek(page, () => probe)
  let seek = newSeek()
  let shown = -1
  let isSpent = false
  let reported = 0
  let last: Promise<unknown> = Promise.resolve()

  const reach = async (frame: number) => {
    if (frame < shown && (probe.stateful || isSpent))
      throw fault('script', `frame ${frame} is before frame ${shown}, and the page only goes forwards`)
    if (frame < shown) {
      revive()
      seek = newSeek()
    }
    for (let step = shown + REPLAY_STEP; probe.stateful && step < frame; step += REPLAY_STEP) {
      await seek(step)
      shown = step
      emit('replayed', step)
    }
    shown = frame
    await seek(frame)
    if (isSpent || !probe.selfStarting || !page.animations.hasStarted()) return
    isSpent = true
    emit('spent', true)
  }

  const showExactly = async (frame: number): Promise<boolean> => {
    const request = { media: probe.media, duration, start: frame, frames: 1, hold: probe.drawsVideos }
    const shows = await media.shows(request)
    host.showMedia(shows ?? noPictures(videos))
    if (frame === shown) seek = newSeek()
    await reach(frame)
    if (shows === undefined) await natively.follow(0)
    else natively.leave()
    return shows !== undefined
  }

  const show = async ({ frame, rate }: FrameRequest): Promise<FrameReport> => {
    if (videos.length === 0) await reach(frame)
    else if (rate === 0) await showExactly(frame)
    else {
      host.showMedia(noPictures(videos))
      await reach(frame)
      await natively.follow(rate)
    }
    if (rate === 0) {
      paintFresh()
      await painted()
    }
    const errors = host.errors().slice(reported)
    reported += errors.length
    return { frame, gains: page.media.gains(), errors, approximate: natively.shown() }
  }
  const findPoster = async (): Promise<number> => {
    const root = document.querySelector('[data-vid-root]')
    if (probe.stateful || !root) return 0
    if (videos.length > 0) host.showMedia(noPictures(videos))
    const { fps, fpsDivisor = 1 } = page.config
    const frames = (duration * fps) / fpsDivisor
    const end = browser.now() + POSTER_MS
    const samples: { readonly frame: number; readonly amount: number }[] = []
    for (let index = 0; index < POSTER_SAMPLES && browser.now() < end; index++) {
      const frame = Math.floor((index * frames) / POSTER_SAMPLES)
      await reach(frame)
      samples.push({ frame, amount: visibleAmount(root) })
    }
    const most = Math.max(...samples.map(({ amount }) => amount))
    return samples.find(({ amount }) => amount >= MUCH * most)?.frame ?? 0
  }
  const patch = async (patches: readonly ElementPatch[]): Promise<void> => {
    for (const elementPatch of patches) patchElement(elementPatch)
    if (shown < 0) return
    seek = newSeek()
    await seek(shown)
    paintFresh()
    await painted()
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const working = last.then(work)
    last = working.catch(() => undefined)
    return working
  }
  return {
    show: (request) => inTurn(() => show(request)),
    findPoster: () => inTurn(findPoster),
    patch: (patches) => inTurn(() => patch(patches)),
  }
}
