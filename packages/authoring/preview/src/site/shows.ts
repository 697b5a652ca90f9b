import { createHash } from 'node:crypto'
import { createInputLog, MEDIA_PATH } from '@vid/assets'
import { createMediaSupply, type MediaSupply } from '@vid/browser'
import { readMediaTrack, readSource } from '@vid/ffmpeg'
import {
  createRecentMap,
  type FrameRate,
  framesIn,
  isMachineFault,
  type MediaTrack,
  MediaUseSchema,
  type RenderPlan,
  recentWork,
  type Static,
  Type,
} from '@vid/protocol'
import type { MediaFacts, MediaShow } from '@vid/runtime'
import type { PreviewFiles } from '../project/project-files.ts'
import type { ProjectSettings } from '../project/settings.ts'

const { id, kind, src, start, mediaStart, rate, loop } = MediaUseSchema.properties

/** What a player asks of the pictures of videos: `ShowsRequest` of the runtime, as far as it is read. */
export const ShowsSchema = Type.Object({
  media: Type.Array(
    Type.Object({
      id,
      kind,
      src,
      start,
      mediaStart,
      rate,
      loop,
      end: Type.Union([MediaUseSchema.properties.end, Type.Null()]),
    }),
    { maxItems: 1000 },
  ),
  /** Seconds of the whole composition. */
  duration: Type.Number({ exclusiveMinimum: 0, maximum: 86_400 }),
  /** First frame, and how many. */
  start: Type.Integer({ minimum: 0 }),
  frames: Type.Integer({ minimum: 1, maximum: 600 }),
  /** Whether a video keeps its nearest frame outside its window. */
  hold: Type.Boolean(),
})
export type ShowsBody = Static<typeof ShowsSchema>

/** The pictures of the videos of one page at one rate. */
interface Supply {
  readonly media: MediaSupply
  readonly plan: RenderPlan
}

/** Extracts pictures of videos for players, by the code and into the cache of a render. */
export interface Shows {
  facts(src: string): Promise<MediaFacts | null>
  show(body: ShowsBody, fps: FrameRate): Promise<MediaShow[]>
  /** The file behind a path below `MEDIA_PATH`; undefined without one. */
  file(path: string): Promise<string | undefined>
  /** Forgets the sources, which may have changed. */
  renew(): Promise<void>
}

/** Pages and rates that are remembered; each holds extractions. */
const MAX_SUPPLIES = 8

/** As much of a plan as the pictures of videos depend on. */
const planOf = (
  { duration }: ShowsBody,
  fps: FrameRate,
  media: readonly MediaTrack[],
  { videoFrameFormat }: ProjectSettings,
): RenderPlan => ({
  version: 1,
  width: 1,
  height: 1,
  fps,
  frames: Math.ceil(framesIn(duration, fps)),
  duration,
  composition: { entry: '', id: '', digest: '', stateful: false },
  variables: {},
  format: 'png',
  alpha: false,
  segments: [],
  audio: [],
  media,
  videoFrameFormat,
  taps: [],
  capture: NO_PLUGIN,
  encoder: NO_PLUGIN,
})

const NO_PLUGIN = { name: '', options: {}, settings: {}, code: '', build: '' }

const useOf = (media: ShowsBody['media'][number], duration: number) => ({
  volume: 1,
  muted: true,
  hasAudio: null,
  ...media,
  end: media.end ?? duration,
})

/** Opens the pictures of a project's videos. */
export const openShows = ({
  files,
  settings,
  signal,
}: {
  readonly files: PreviewFiles
  readonly settings: () => Promise<ProjectSettings>
  readonly signal: AbortSignal
}): Shows => {
  const close = (supply: Promise<Supply> | undefined) =>
    supply?.then(
      ({ media }) => media.close(),
      () => {},
    )
  const supplies = createRecentMap<string, Promise<Supply>>(MAX_SUPPLIES, (supply) => void close(supply))
  const options = { sources: files.sources, signal, warn: () => {} }
  const openSupply = async (body: ShowsBody, fps: FrameRate): Promise<Supply> => {
    const current = await settings()
    const { duration } = body
    const context = { sources: files.sources, signal }
    const tracks = await Promise.all(
      body.media
        .filter((media) => media.kind === 'video')
        .map((media) =>
          readMediaTrack(useOf(media, duration), { duration, videoFrameFormat: current.videoFrameFormat }, context),
        ),
    )
    const media = tracks.filter((track) => track !== undefined && track.start < track.end)
    return {
      media: createMediaSupply({ ...options, inputs: createInputLog() }),
      plan: planOf(body, fps, media as MediaTrack[], current),
    }
  }
  const keyOf = ({ media, duration }: ShowsBody, fps: FrameRate) =>
    createHash('sha256')
      .update(JSON.stringify([media, duration, fps]))
      .digest('hex')
      .slice(0, 16)
  return {
    async facts(source) {
      try {
        const file = await files.source(source)
        if (file === undefined) return null
        const { duration, picture, sound } = await readSource(file, { signal })
        const { width = 0, height = 0 } = picture ?? {}
        return { duration, width, height, hasAudio: sound !== null }
      } catch (thrown) {
        signal.throwIfAborted()
        if (isMachineFault(thrown)) throw thrown
        return null
      }
    },
    async show(body, fps) {
      const key = keyOf(body, fps)
      const { media, plan } = await recentWork(supplies, key, () => openSupply(body, fps))
      const { start: first, frames, hold } = body
      const shows = await media.show(plan, {
        start: first,
        frames: Math.min(frames, plan.frames - first),
        hold,
      })
      const prefix = `${MEDIA_PATH}${key}/`
      return shows.map(({ id: showId, first: from, urls }) => ({
        id: showId,
        first: from,
        urls: urls.map((url) => url.replace(MEDIA_PATH, prefix)),
      }))
    },
    async file(path) {
      const [, key = '', rest = ''] = /^([0-9a-f]{16})\/(.+)$/.exec(path) ?? []
      const { media } = (await supplies.get(key)) ?? {}
      return media?.file(rest)
    },
    async renew() {
      await Promise.all(
        supplies.keys().map((key) => {
          const supply = supplies.get(key)
          supplies.delete(key)
          return close(supply)
        }),
      )
    },
  }
}
