import { isVidError } from '@vid/protocol'
import type { CloudRecord } from '../contract/index.ts'
import { checkAddress } from '../http/address.ts'
import { createConnection } from '../http/connection.ts'
import type { Connection } from '../http/exchange.ts'
import type { FilePlace } from '../http/file-download.ts'
import { badReply } from '../http/replies.ts'
import type { CloudConnection } from './connection.ts'
import { fetchRecord } from './following.ts'

/** How often an expired signed address may be replaced. */
const MAX_ADDRESSES = 5

/** Statuses of a signed address that has expired. */
const EXPIRED: ReadonlySet<unknown> = new Set([400, 401, 403, 404, 410])

/** A file of a render at a signed address. */
export interface SignedFile {
  readonly place: FilePlace
  /** Finds its next address after an error that says that this one has expired; undefined for another error. */
  moved(thrown: unknown): Promise<FilePlace | undefined>
}

/** Runs work with a file of a render; its signed addresses, which `addressOf` reads from a record, get no credential. */
export const withSignedFile = async <T>(
  connection: CloudConnection,
  record: CloudRecord,
  addressOf: (record: CloudRecord) => string,
  signal: AbortSignal,
  work: (file: SignedFile) => Promise<T>,
): Promise<T> => {
  const { limits, errors, insecure } = connection
  const connections: Connection[] = []
  const placeOf = (address: string): FilePlace => {
    if (!URL.canParse(address, connection.url)) throw badReply(connection, 'the address of a file is no URL')
    const { origin, protocol, host, pathname, search } = new URL(address, connection.url)
    const url = checkAddress({ url: protocol.startsWith('http') ? origin : `${protocol}//${host}`, insecure }, errors)
    const place = { connection: createConnection({ url, limits, errors }), path: pathname + search }
    connections.push(place.connection)
    return place
  }
  const moved = async (thrown: unknown): Promise<FilePlace | undefined> => {
    if (!isVidError(thrown) || !EXPIRED.has(thrown.facts.status) || connections.length > MAX_ADDRESSES) return undefined
    return placeOf(addressOf(await fetchRecord(connection, record.render_id, signal)))
  }
  try {
    return await work({ place: placeOf(addressOf(record)), moved })
  } finally {
    for (const openConnection of connections) await openConnection.close()
  }
}
