import { type FfmpegTools, packetColour } from '@vid/ffmpeg'
import type { MediaTrack, RenderPlan } from '@vid/protocol'
import { findPackets, type StoredPackets } from './packet-cache.ts'
import type { DecodedPackets, DecodesPackets } from './packet-show.ts'
import { type TrackFrames, withName } from './track-frames.ts'

/** The packets of a session's videos, for pages that decode videos themselves. */
export interface TrackPackets {
  /** The packets of a video, if the plan allows them and the page `decodes` them. */
  find(
    track: MediaTrack,
    plan: RenderPlan,
    shown: TrackFrames,
    decodes: DecodesPackets,
  ): Promise<DecodedPackets | undefined>
  /** Absolute path of the packets that were found for the video `id`. */
  file(id: string): Promise<string | undefined>
  /** Waits for pending copies. */
  settle(): Promise<void>
}

/** Copies each video's packets once per session. */
export const createTrackPackets = (options: {
  readonly signal: AbortSignal
  findTools(): Promise<FfmpegTools>
}): TrackPackets => {
  const { signal, findTools } = options
  const stored = new Map<string, Promise<StoredPackets | undefined>>()

  const copy = async ({ source, ticks }: TrackFrames, src: string): Promise<StoredPackets | undefined> => {
    try {
      return await findPackets({ source, shown: ticks, tools: await findTools(), signal })
    } catch (thrown) {
      throw withName(thrown, src)
    }
  }
  return {
    async find({ id, src }, { videoFrameFormat, hdr }, shown, decodes) {
      const colour = packetColour(shown.source.picture)
      if (videoFrameFormat !== 'auto' || hdr || !colour) return undefined
      const copying = stored.get(id) ?? copy(shown, src)
      stored.set(id, copying)
      const packets = await copying
      if (!packets) return undefined
      const config = { codec: packets.codec, ...colour }
      return (await decodes(id, config)) ? { config, packets } : undefined
    },
    file: async (id) => (await stored.get(id))?.file,
    async settle() {
      await Promise.allSettled(stored.values())
    },
  }
}
