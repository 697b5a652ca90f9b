import { MEDIA_PATH } from '@vid/assets'
import type { MediaPackets, PacketConfig, PictureShare } from '@vid/runtime'
import type { StoredPackets } from './packet-cache.ts'

/** Whether a page can show a video by decoding its packets. */
export type DecodesPackets = (id: string, config: PacketConfig) => Promise<boolean>

/** Packets that a page can decode, and the decoder configuration. */
export interface DecodedPackets {
  readonly config: PacketConfig
  readonly packets: StoredPackets
}

/** Packets sent beyond the last shown one, so that a decoder outputs its last picture without a flush. */
const MARGIN = 40

/** Describes the packets that a page needs to show the timestamps `shown` (in ticks) of the video `id`. */
export const packetsFor = (
  id: string,
  { config, packets }: DecodedPackets,
  shown: readonly number[],
  share: PictureShare | undefined,
): MediaPackets => {
  const { sizes, ticks, keys } = packets
  const places = new Map(ticks.map((tick, index) => [tick, index]))
  const indices = shown.map((tick) => places.get(tick) ?? 0)
  const least = indices.reduce((a, b) => Math.min(a, b), Infinity)
  const end = indices.reduce((a, b) => Math.max(a, b), 0) + 1 + MARGIN
  const first = keys.findLast((key) => key <= least) ?? 0
  return {
    url: `${MEDIA_PATH}${id}/packets`,
    config,
    first,
    offset: sizes.slice(0, first).reduce((sum, size) => sum + size, 0),
    sizes: sizes.slice(first, end),
    ticks: ticks.slice(first, end),
    keys: keys.flatMap((key) => (key >= first && key < end ? [key - first] : [])),
    shown,
    ...(share && { share }),
  }
}
