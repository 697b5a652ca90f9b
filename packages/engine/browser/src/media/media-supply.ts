import { setMaxListeners } from 'node:events'
import { stat } from 'node:fs/promises'
import type { InputLog } from '@vid/assets'
import { type FfmpegTools, findFfmpeg, readSource, type SourceFile } from '@vid/ffmpeg'
import { FFMPEG_SOURCE, isSourceAddress, type SourceFiles } from '@vid/kernel'
import { isMachineFault, isVidError, type MediaTrack, type RenderPlan, type Warning } from '@vid/protocol'
import type { MediaFacts, MediaShow } from '@vid/runtime'
import { digestOf } from '@vid/system'
import type { FrameShare } from '../page/composition-page.ts'
import type { DecodesPackets } from './packet-show.ts'
import { findTrackFrames, type TrackFrames } from './track-frames.ts'
import { createTrackPackets } from './track-packets.ts'
import { isShown, type ShowRange, shownTicks, showOf } from './track-show.ts'

/** Supplies a page with the pictures of its videos. */
export interface MediaSupply {
  /** The properties of a source that a page needs before it runs; null if the source cannot be used. */
  facts(src: string): Promise<MediaFacts | null>
  /**
   * Starts extracting the video frames of a range, and describes them. A video that the page decodes itself, as
   * `decodes` returns for its id, is not extracted; `share` names frames that another page also shows.
   */
  show(plan: RenderPlan, range: ShowRange, decodes?: DecodesPackets, share?: FrameShare): Promise<MediaShow[]>
  /** The file behind an address of the asset server; undefined when there is none. */
  file(path: string): Promise<string | undefined>
  /** Warns of unreadable video frames so far. */
  report(): Promise<void>
  /** The reason why a frame could not be served; undefined if none failed. */
  failure(): unknown
  close(): Promise<void>
}

/** The dependencies of a session's media supply. */
export interface MediaSupplyOptions {
  /** Finds the files of media sources. */
  readonly sources: SourceFiles
  readonly signal: AbortSignal
  readonly inputs: InputLog
  warn(warning: Warning): void
}

/** Reads sources by their names in pages, and records them among the session's inputs. */
const createSourceOpener =
  (
    { sources, signal, inputs }: Omit<MediaSupplyOptions, 'warn'>,
    findTools: () => Promise<FfmpegTools>,
  ): ((src: string) => Promise<SourceFile | undefined>) =>
  async (src) => {
    const finding = sources.file(src)
    finding.then(
      (file) => file === undefined && inputs.read(src, null),
      () => inputs.read(src, null),
    )
    const file = await finding
    if (file === undefined) return undefined
    const tools = await findTools()
    inputs.served(src, file, await stat(file))
    inputs.read(FFMPEG_SOURCE, digestOf(tools.build))
    return readSource(file, { tools, signal })
  }

/** Creates the media supply of a session; extraction starts with the first shown frames. */
export const createMediaSupply = (options: MediaSupplyOptions): MediaSupply => {
  const { signal, warn } = options
  let failed: unknown
  const closed = new AbortController()
  const stop = AbortSignal.any([signal, closed.signal])
  // Each video adds a listener.
  setMaxListeners(0, closed.signal, stop)
  let tools: Promise<FfmpegTools> | undefined
  const findTools = () => {
    tools ??= findFfmpeg({ signal })
    return tools
  }
  const open = createSourceOpener(options, findTools)
  const packets = createTrackPackets({ signal: stop, findTools })
  const tracks = new Map<string, Promise<TrackFrames>>()

  const showTrack = async (
    track: MediaTrack,
    plan: RenderPlan,
    range: ShowRange,
    decodes: DecodesPackets,
    share: FrameShare | undefined,
  ): Promise<MediaShow | undefined> => {
    if (!isShown(track, plan, range)) return undefined
    const finding = tracks.get(track.id) ?? findTrackFrames(track, plan, { signal, open, findTools, warn })
    tracks.set(track.id, finding)
    const frames = await finding
    const shown = shownTicks(frames, range)
    if (!shown) return undefined
    const decoded = await packets.find(track, plan, frames, decodes)
    if (!decoded) await frames.claim()
    return showOf(track, shown, decoded, share)
  }

  return {
    async facts(src) {
      const source = await open(src).catch((thrown: unknown) => {
        signal.throwIfAborted()
        if (isMachineFault(thrown)) throw thrown
        // For a file of the project, the media reader of the plan reports it with its element.
        if (isVidError(thrown) && isSourceAddress(src))
          warn({ code: thrown.code, message: thrown.message, hint: thrown.hint, severity: 'error' })
        return undefined
      })
      if (!source) return null
      const { duration, picture, sound } = source
      const { width = 0, height = 0 } = picture ?? {}
      return { duration, width, height, hasAudio: sound !== null }
    },
    async show(plan, range, decodes = async () => false, share = undefined) {
      const shows = plan.media.map((track) => showTrack(track, plan, range, decodes, share))
      return (await Promise.all(shows)).filter((show) => show !== undefined)
    },
    async file(path) {
      const [, packed] = /^(m\d+)\/packets$/.exec(path) ?? []
      if (packed !== undefined) return packets.file(packed)
      const [, id, tick] = /^(m\d+)\/(-?\d+)\.(?:jpg|png)$/.exec(path) ?? []
      if (id === undefined || tick === undefined) return undefined
      const claim = await (await tracks.get(id))?.claim()
      return claim?.file(Number(tick), stop).catch((thrown: unknown) => {
        failed ??= thrown
        throw thrown
      })
    },
    async report() {
      const results = await Promise.allSettled(tracks.values())
      await Promise.allSettled(
        results.map((track) => (track.status === 'fulfilled' ? track.value.report() : undefined)),
      )
    },
    failure: () => failed,
    async close() {
      closed.abort()
      const settled = await Promise.allSettled(tracks.values())
      await Promise.allSettled(
        settled.map((track) => (track.status === 'fulfilled' ? track.value.release() : undefined)),
      )
      await packets.settle()
    },
  }
}
