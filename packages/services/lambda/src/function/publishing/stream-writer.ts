import type { S3Bucket } from '@vid/s3'
import type { StreamRecord } from '../../contract/stream-record.ts'
import { type HeldRecord, readStream, replaceStream } from '../../streams/held-record.ts'
import { openStreamPlaylists } from '../../streams/stream-playlists.ts'

/** Shows players the segments of a video, beside other calls that may do the same or end it. */
export interface StreamWriter {
  readonly outputKey: string
  /** Whether the render has ended. */
  isClosed(): boolean
  /** Number of segments that players see. */
  segments(): number
  /** Digests of the files that they may ask for, by name. */
  media(): Readonly<Record<string, string>>
  /** Shows players more segments, whose files are stored; does nothing if they see as many, or the render has ended. */
  show(next: Pick<StreamRecord, 'segments' | 'playlists' | 'media'>): Promise<void>
}

/** Opens the video of a render. */
export const openStreamWriter = async (
  place: S3Bucket,
  stream: Pick<StreamRecord, 'renderId' | 'outputKey'>,
): Promise<StreamWriter> => {
  const { outputKey } = stream
  const playlists = openStreamPlaylists(place, outputKey)
  let latest: HeldRecord = await readStream(place, stream)
  const isCurrent = async () => (await readStream(place, stream)).tag === latest.tag
  /** Records the segments; false if players see as many. */
  const commit = async (next: Parameters<StreamWriter['show']>[0]): Promise<boolean> => {
    for (;;) {
      const { record, tag } = latest
      if (record.isClosed || record.segments >= next.segments) return false
      const media = { ...record.media, ...next.media }
      const committed = await replaceStream(place, { ...record, ...next, media }, tag)
      latest = committed ?? (await readStream(place, stream))
      if (committed) return true
    }
  }
  return {
    outputKey,
    isClosed: () => latest.record.isClosed,
    segments: () => latest.record.segments,
    media: () => latest.record.media,
    async show(next) {
      await playlists.prepare(Object.keys(next.playlists))
      if (await commit(next)) await playlists.write(next.playlists, isCurrent)
    },
  }
}
