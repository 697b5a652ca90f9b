import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { placeArtifact } from '@vid/kernel'
import { scratchName } from '@vid/system'
import type { CloudRecord } from '../contract/index.ts'
import { fail } from '../errors.ts'
import type { Connection } from '../http/exchange.ts'
import { downloadFile } from '../http/file-download.ts'
import { badReply } from '../http/replies.ts'
import { unpackResult } from '../http/result-folder.ts'
import type { CloudConnection } from './connection.ts'
import { withSignedFile } from './signed-file.ts'

/** Options of a download. */
export interface DownloadCall {
  readonly signal?: AbortSignal | undefined
  /** Called with the number of received bytes. */
  onProgress?(bytes: number, totalBytes: number): void
}

/** The video fields of a completed render; without them the reply is invalid. */
const videoOf = (connection: Connection, record: CloudRecord) => {
  const { render_id: renderId, status, video_url: url, sha256, size_bytes: bytes } = record
  if (status !== 'completed') throw fail('VID_API_NOT_COMPLETED', { renderId, status })
  if (url === null || sha256 === null || bytes === null)
    throw badReply(connection, `${renderId} has completed without an address, size or SHA-256 of its video`)
  return { url, sha256, bytes }
}

/** Downloads the file of a render to a path; its signed address gets no credential. */
const fetchVideo = async (
  connection: CloudConnection,
  record: CloudRecord,
  path: string,
  { signal, onProgress }: DownloadCall & { readonly signal: AbortSignal },
): Promise<void> => {
  const video = videoOf(connection, record)
  const addressOf = (latest: CloudRecord): string => {
    const { url, sha256 } = videoOf(connection, latest)
    if (sha256 !== video.sha256) throw badReply(connection, 'the video of a render has become another one')
    return url
  }
  await withSignedFile(connection, record, addressOf, signal, ({ place, moved }) =>
    downloadFile(place, { bytes: video.bytes, digest: video.sha256 }, path, signal, {
      moved,
      onProgress: (bytes) => onProgress?.(bytes, video.bytes),
    }),
  )
}

/** Begins the name of what is beside a folder while it is downloaded. */
const PREFIX = '.vid-'

/** Downloads a video that is a folder, which the server sends as a zip. */
const fetchFolder: typeof fetchVideo = async (connection, record, path, call) => {
  const { signal } = call
  const zip = join(dirname(path), `${scratchName(PREFIX)}.zip`)
  const folder = join(dirname(path), `${scratchName(PREFIX)}.new`)
  try {
    await fetchVideo(connection, record, zip, call)
    const refuse = (reason: string) => badReply(connection, `the zip of a video cannot be unpacked: ${reason}`)
    await unpackResult(zip, folder, { signal, refuse })
    await placeArtifact(folder, path, signal)
  } finally {
    for (const leftover of [zip, folder]) await rm(leftover, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Downloads the video of a render to a path, where its file or folder appears once it is complete. */
export const downloadVideo = (
  connection: CloudConnection,
  record: CloudRecord,
  path: string,
  { signal = new AbortController().signal, ...call }: DownloadCall = {},
): Promise<void> => {
  const download = record.format === 'hls' ? fetchFolder : fetchVideo
  return download(connection, record, path, { ...call, signal })
}
