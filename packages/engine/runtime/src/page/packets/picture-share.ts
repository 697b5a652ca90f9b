import type { PictureShare } from '../../contract/packets.ts'
import type { PacketPicture } from './packet-jobs.ts'

/** A request for a picture, and its answer: null when the provider does not have the picture, or no longer. */
interface ShareMessage {
  readonly url: string
  readonly tick: number
  readonly picture?: PacketPicture | null
}

/** Pictures of one source that are kept for the consumer, which requests them in order. */
const MAX_KEPT = 2

/** Time limit for a provider's answer, after which the consumer decodes the same pixels itself. */
const ANSWER_MS = 2000

/** One end of the sharing of a source's pictures between the workers of two pages. */
export interface SharedPictures {
  /** The picture of a timestamp that the other page has shown already; undefined when it cannot be had. */
  request(tick: number): Promise<PacketPicture | undefined>
  /** Keeps a copy of a picture if the other page will show it. */
  keep(tick: number, picture: PacketPicture): void
  close(): void
}

const openProvider = (url: string, { channel, ticks }: PictureShare): SharedPictures => {
  const broadcast = new BroadcastChannel(channel)
  const pictures = new Map<number, PacketPicture>()
  broadcast.onmessage = ({ data }: MessageEvent<ShareMessage>) => {
    if (data.url !== url || data.picture !== undefined) return
    broadcast.postMessage({ ...data, picture: pictures.get(data.tick) ?? null } satisfies ShareMessage)
    pictures.delete(data.tick)
  }
  return {
    request: async () => undefined,
    keep(tick, picture) {
      if (!ticks.includes(tick)) return
      pictures.set(tick, { ...picture, pixels: picture.pixels.slice(0) })
      for (const old of [...pictures.keys()].slice(0, -MAX_KEPT)) pictures.delete(old)
    },
    close: () => broadcast.close(),
  }
}

const openConsumer = (url: string, { channel, ticks }: PictureShare): SharedPictures => {
  const broadcast = new BroadcastChannel(channel)
  return {
    request: (tick) =>
      ticks.includes(tick)
        ? new Promise((resolve) => {
            const timeout = setTimeout(() => resolve(undefined), ANSWER_MS)
            broadcast.onmessage = ({ data }: MessageEvent<ShareMessage>) => {
              if (data.url !== url || data.tick !== tick || data.picture === undefined) return
              clearTimeout(timeout)
              resolve(data.picture ?? undefined)
            }
            broadcast.postMessage({ url, tick } satisfies ShareMessage)
          })
        : Promise.resolve(undefined),
    keep: () => {},
    close: () => broadcast.close(),
  }
}

/** Opens one end of a share. */
export const openSharedPictures = (url: string, share: PictureShare): SharedPictures =>
  share.role === 'provider' ? openProvider(url, share) : openConsumer(url, share)
