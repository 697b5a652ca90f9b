import { setMaxListeners } from 'node:events'
import { stat } from 'node:fs/promises'
import type { InputLog, RemoteAssets } from '@vid/assets'
import { digestOf, MEDIA_PATH } from '@vid/assets'
import {
  type FfmpegTools,
  findFfmpeg,
  findSourceFile,
  isRemoteSource,
  keepFetchedSource,
  lookOf,
  packetColour,
  readSource,
  type SourceFile,
  selectFrames,
  shownFrames,
} from '@vid/ffmpeg'
import { isVidError, type MediaTrack, type RenderPlan, type Warning } from '@vid/kernel'
import type { MediaFacts, MediaShow, PictureShare } from '@vid/runtime'
import { captureFailure, captureWarnings } from '../capture-errors.ts'
import { FFMPEG_SOURCE } from '../sources.ts'
import { claimFrames, type FrameClaim } from './frame-cache.ts'
import { findPackets, type StoredPackets } from './packet-cache.ts'
import { type DecodedPackets, type DecodesPackets, packetsFor } from './packet-show.ts'

/** What a session does for the videos of its page. */
export interface MediaSupply {
  /** What a page is told about a source; null when it cannot be used. */
  facts(src: string): Promise<MediaFacts | null>
  /**
   * Starts extracting what the frames of a range show, and says what that is. What the page decodes by itself, as
   * `decodes` answers for the id of a video, is not extracted; `share` names frames that another page shows too.
   */
  show(plan: RenderPlan, range: ShowRange, decodes?: DecodesPackets, share?: FrameShare): Promise<MediaShow[]>
  /** The file behind an address of the asset server; undefined when there is none. */
  file(path: string): Promise<string | undefined>
  /** Why a frame could not be served; undefined when none failed. */
  failure(): unknown
  close(): Promise<void>
}

/** Frames of a composition; `hold` also gives videos outside of their windows their nearest frame. */
export interface ShowRange {
  readonly start: number
  readonly frames: number
  readonly hold: boolean
}

/** Frames whose decoded pictures two pages of a session share. */
export interface FrameShare {
  /** Name of a broadcast channel that only these two pages use. */
  readonly channel: string
  readonly role: PictureShare['role']
  readonly frames: readonly number[]
}

type Picture = SourceFile & { readonly picture: NonNullable<SourceFile['picture']> }
const hasPicture = (source: SourceFile): source is Picture => source.picture !== null

interface Supplied {
  /** Extracts the frames, once. */
  readonly claim: () => Promise<FrameClaim | undefined>
  readonly claimed: () => Promise<FrameClaim | undefined> | undefined
  readonly source: Picture
  readonly first: number
  readonly ticks: readonly number[]
}

interface SupplyOptions {
  /** Absolute. */
  readonly projectDir: string
  /** Where sources at other addresses come from. */
  readonly remote: Pick<RemoteAssets, 'file'>
  readonly signal: AbortSignal
  readonly inputs: InputLog
  warn(warning: Warning): void
}

/** Makes the supply of one session; extraction begins with the first frames that are asked for. */
export const createMediaSupply = ({
  projectDir,
  remote,
  signal,
  inputs,
  warn,
}: SupplyOptions): MediaSupply => {
  let failed: unknown
  const closed = new AbortController()
  const stop = AbortSignal.any([signal, closed.signal])
  // Each video listens to them.
  setMaxListeners(0, closed.signal, stop)
  const supplied = new Map<string, Promise<Supplied>>()
  const stored = new Map<string, Promise<StoredPackets | undefined>>()
  let tools: Promise<FfmpegTools> | undefined
  const findTools = () => {
    tools ??= findFfmpeg({ signal })
    return tools
  }

  const open = async (src: string): Promise<SourceFile | undefined> => {
    if (isRemoteSource(src)) {
      const fetching = remote.file(src)
      fetching.catch(() => inputs.read(src, null))
      keepFetchedSource(src, await fetching)
    }
    const file = await findSourceFile(projectDir, src)
    if (file === undefined) {
      inputs.read(src, null)
      return undefined
    }
    const ffmpeg = await findTools()
    inputs.served(src, file, await stat(file))
    inputs.read(FFMPEG_SOURCE, digestOf(ffmpeg.build))
    return readSource(file, { tools: ffmpeg, signal })
  }

  const supply = async (track: MediaTrack, { fps, frames, hdr }: RenderPlan): Promise<Supplied> => {
    const source = await open(track.src)
    const found = source?.digest ?? 'missing'
    if (!source || found !== track.source.digest || !hasPicture(source))
      throw captureFailure('VID_MEDIA_CHANGED', { src: track.src, planned: track.source.digest, found })
    const times = await source.frameTimes(signal)
    const { first, ticks } = shownFrames(track, source, times, { fps, total: frames })
    const selection = selectFrames(times, ticks)
    const frameFormat = track.source.picture?.frameFormat ?? 'jpg'
    const look = track.source.picture ? lookOf(track.source.picture, hdr) : undefined
    const job = { source, frameFormat, ...(look && { look }), tools: await findTools() }
    const extract = async () => {
      const claim = selection && (await claimFrames({ ...selection, ...job }))
      claim?.finished.then(
        (complaint) => complaint && warn(captureWarnings.damagedMedia(track.src, complaint)),
        () => {},
      )
      return claim
    }
    let claiming: Promise<FrameClaim | undefined> | undefined
    const claim = () => {
      claiming ??= extract()
      return claiming
    }
    return { claim, claimed: () => claiming, source, first, ticks }
  }

  /** The packets of a video that the page decodes by itself; undefined when it does not. */
  const findPacketsOf = async (
    { id }: MediaTrack,
    { videoFrameFormat, hdr }: RenderPlan,
    { source, ticks }: Supplied,
    decodes: DecodesPackets,
  ): Promise<DecodedPackets | undefined> => {
    const colour = packetColour(source.picture)
    if (videoFrameFormat !== 'auto' || hdr || !colour) return undefined
    const find = async () => findPackets({ source, shown: ticks, tools: await findTools(), signal: stop })
    const known =
      stored.get(id) ??
      // A full disk, say: extraction tries in its own way, and says what is wrong when it fails too.
      find().catch(() => {
        stop.throwIfAborted()
        return undefined
      })
    stored.set(id, known)
    const packets = await known
    if (!packets) return undefined
    const config = { codec: packets.codec, ...colour }
    return (await decodes(id, config)) ? { config, packets } : undefined
  }

  const showTrack = async (
    track: MediaTrack,
    plan: RenderPlan,
    { start, frames, hold }: ShowRange,
    decodes: DecodesPackets,
    share: FrameShare | undefined,
  ): Promise<MediaShow | undefined> => {
    const { id, kind, source } = track
    if (kind !== 'video' || source.picture === null) return undefined
    // A video is extracted when it is first shown, not before.
    const isNear = track.start * plan.fps < start + frames && track.end * plan.fps > start
    if (!isNear && !hold) return undefined
    const known = supplied.get(id) ?? supply(track, plan)
    supplied.set(id, known)
    const all = await known
    const { first, ticks } = all
    const last = first + ticks.length - 1
    const [from, to] = hold
      ? [start, start + frames - 1]
      : [Math.max(first, start), Math.min(last, start + frames - 1)]
    const { frameFormat } = source.picture
    const shown = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
      const nearest = Math.min(Math.max(from + index, first), last) - first
      return ticks[nearest] ?? 0
    })
    if (ticks.length === 0 || shown.length === 0) return undefined
    const urls = shown.map((tick) => `${MEDIA_PATH}${id}/${tick}.${frameFormat}`)
    const decoded = await findPacketsOf(track, plan, all, decodes)
    if (!decoded) await all.claim()
    const shared = share && {
      ...{ channel: share.channel, role: share.role },
      ticks: share.frames.flatMap((frame) => shown[frame - from] ?? []),
    }
    return { id, first: from, urls, ...(decoded && { packets: packetsFor(id, decoded, shown, shared) }) }
  }

  return {
    async facts(src) {
      const source = await open(src).catch((thrown: unknown) => {
        signal.throwIfAborted()
        // Of a file that is there, the plan's reader tells why, with the element.
        if (isVidError(thrown) && isRemoteSource(src))
          warn({ code: thrown.code, message: thrown.message, hint: thrown.hint })
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
      const [, reeled] = /^(m\d+)\/packets$/.exec(path) ?? []
      if (reeled !== undefined) return (await stored.get(reeled))?.file
      const [, id, tick] = /^(m\d+)\/(-?\d+)\.(?:jpg|png)$/.exec(path) ?? []
      if (id === undefined || tick === undefined) return undefined
      const claim = await (await supplied.get(id))?.claim()
      return claim?.file(Number(tick), stop).catch((thrown: unknown) => {
        failed ??= thrown
        throw thrown
      })
    },
    failure: () => failed,
    async close() {
      closed.abort()
      const all = await Promise.allSettled(supplied.values())
      await Promise.allSettled(
        all.map(async (each) => each.status === 'fulfilled' && (await each.value.claimed())?.release()),
      )
      await Promise.allSettled(stored.values())
    },
  }
}
