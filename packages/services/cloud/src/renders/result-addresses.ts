import type { CloudRender, CloudStatus } from '@vid/client/contract'
import { posterTypes, resultFiles } from '../storage/result-file.ts'
import type { Storage } from '../storage/storage.ts'
import type { StreamAddresses } from '../streams/stream-address.ts'

/** The columns of a render that determine its results. */
export interface EndedRender {
  readonly id: string
  readonly status: CloudStatus
  readonly request: CloudRender
  readonly video_key: string | null
  readonly thumbnail_key: string | null
  readonly poster_key: string | null
  readonly stream_attempt: number | null
}

/** Signs addresses for clients; all have the same lifetime. */
export interface Addresses {
  readonly storage: Pick<Storage, 'address'>
  readonly streams: Pick<StreamAddresses, 'addressOf'>
  readonly ttlMs: number
}

/** Newly signed addresses of what a render has made so far; null for what is missing. */
export interface ResultUrls {
  readonly video_url: string | null
  readonly thumbnail_url: string | null
  readonly poster_url: string | null
  readonly playlist_url: string | null
}

const extensionOf = (posterKey: string) => (posterKey.endsWith('.png') ? 'png' : 'jpg')

const NO_RESULTS = { video_url: null, thumbnail_url: null, poster_url: null } as const

/** Signs addresses of what a render has made so far. */
export const resultAddresses = async (
  row: EndedRender,
  { storage, streams, ttlMs }: Addresses,
): Promise<ResultUrls> => {
  const expiresMs = Date.now() + ttlMs
  const { id, stream_attempt: attempt } = row
  const playlistUrl = attempt === null ? null : streams.addressOf({ renderId: id, attempt, expiresMs })
  if (row.status !== 'completed') return { ...NO_RESULTS, playlist_url: playlistUrl }
  const { extension, type } = resultFiles[row.request.format]
  const { video_key: video, thumbnail_key: thumbnail, poster_key: poster } = row
  return {
    video_url: video && (await storage.address(video, { expiresMs, fileName: `${id}.${extension}`, type })),
    thumbnail_url: thumbnail && (await storage.address(thumbnail, { expiresMs, type: 'image/jpeg' })),
    poster_url: poster && (await storage.address(poster, { expiresMs, type: posterTypes[extensionOf(poster)] })),
    playlist_url: playlistUrl,
  }
}

/** Signs new addresses for the results of a render. */
export type ResultAddresses = (render: EndedRender) => Promise<ResultUrls>
