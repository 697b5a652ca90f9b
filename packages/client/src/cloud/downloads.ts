import { type CloudRecord, isVidError } from '@vid/kernel'
import { fail } from '../errors.ts'
import { checkAddress } from '../http/address.ts'
import { createConnection } from '../http/connection.ts'
import type { Connection } from '../http/exchange.ts'
import { downloadFile, type FilePlace } from '../http/file-download.ts'
import { badReply } from '../http/replies.ts'
import type { CloudConnection } from './connection.ts'
import { fetchRecord } from './following.ts'

/** Options of a download. */
export interface DownloadCall {
  readonly signal?: AbortSignal | undefined
  /** Called with the number of received bytes. */
  onProgress?(bytes: number, totalBytes: number): void
}

/** How often an expired signed address may be replaced. */
const MAX_ADDRESSES = 5

/** Statuses of a signed address that has expired. */
const EXPIRED: ReadonlySet<unknown> = new Set([400, 401, 403, 404, 410])

/** The video fields of a completed render; without them the reply is invalid. */
const videoOf = (connection: Connection, record: CloudRecord) => {
  const { render_id: renderId, status, video_url: url, sha256, size_bytes: bytes } = record
  if (status !== 'completed') throw fail('VID_API_NOT_COMPLETED', { renderId, status })
  if (url === null || sha256 === null || bytes === null)
    throw badReply(connection, `${renderId} has completed without an address, size or SHA-256 of its video`)
  return { url, sha256, bytes }
}

/**
 * Downloads the video of a render to a path, where it appears once it is complete; its signed address gets no
 * credential.
 */
export const downloadVideo = async (
  connection: CloudConnection,
  record: CloudRecord,
  path: string,
  { signal = new AbortController().signal, onProgress }: DownloadCall = {},
): Promise<void> => {
  const { limits, errors, insecure } = connection
  const video = videoOf(connection, record)
  const connections: Connection[] = []
  let addresses = 0

  const placeOf = (address: string): FilePlace => {
    addresses += 1
    if (!URL.canParse(address, connection.url)) throw badReply(connection, 'the address of a video is no URL')
    const { origin, protocol, host, pathname, search } = new URL(address, connection.url)
    const url = checkAddress({ url: protocol.startsWith('http') ? origin : `${protocol}//${host}`, insecure }, errors)
    const place = { connection: createConnection({ url, limits, errors }), path: pathname + search }
    connections.push(place.connection)
    return place
  }
  const moved = async (thrown: unknown): Promise<FilePlace | undefined> => {
    if (!isVidError(thrown) || !EXPIRED.has(thrown.facts.status) || addresses > MAX_ADDRESSES) return undefined
    const fresh = videoOf(connection, await fetchRecord(connection, record.render_id, signal))
    if (fresh.sha256 !== video.sha256) throw badReply(connection, 'the video of a render has become another one')
    return placeOf(fresh.url)
  }
  try {
    await downloadFile(placeOf(video.url), { bytes: video.bytes, digest: video.sha256 }, path, signal, {
      moved,
      onProgress: (bytes) => onProgress?.(bytes, video.bytes),
    })
  } finally {
    for (const openConnection of connections) await openConnection.close()
  }
}
