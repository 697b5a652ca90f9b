import { isVidError } from '@vid/protocol'
import { backOff, retry } from '@vid/system'
import type { Database } from '../database/database.ts'
import { databaseFolder, hasDatabase } from '../database/embedded.ts'
import { openDatabase } from '../database/open-database.ts'
import type { Examined } from '../doctor/examine.ts'
import { createEnds, type Ends } from '../ends.ts'
import { fail } from '../errors.ts'
import { openQueue } from '../queue/queue.ts'
import { openStorage } from '../storage/open-storage.ts'
import { type AdminName, type AdminParams, type AdminParts, type AdminResult, callAdmin } from './admin-functions.ts'
import { callServer, isServed } from './admin-socket.ts'

/** Runs operator functions. */
export interface Admin {
  call<N extends AdminName>(name: N, params: AdminParams<N>, signal?: AbortSignal): Promise<AdminResult<N>>
  close(): Promise<void>
}

/** Locates the database and the storage of a server. */
export interface AdminPlace {
  /** Address of a Postgres server. */
  readonly databaseUrl?: string | undefined
  /** The server's state folder; holds its database if `databaseUrl` is left out. */
  readonly state: string
  /** Storage of the server, in the format of `vid cloud serve --storage`. */
  readonly storage?: string | undefined
  /** Absolute folder that relative paths start from; the current folder if left out. */
  readonly cwd?: string | undefined
  /** Allows a new folder; otherwise a missing folder is an error. */
  readonly mayCreate?: boolean | undefined
}

/** Opens the parts that `vid cloud doctor` examines. */
const openExamined = async (database: Database, place: AdminPlace, ends: Ends): Promise<Examined> => {
  const log = { info() {}, warn() {}, error() {} }
  const queue = await openQueue(database, { onError() {} })
  ends.add(() => queue.close())
  const { storage } = await openStorage(
    { ...place, cwd: place.cwd ?? process.cwd(), publicUrl: () => 'http://127.0.0.1' },
    database,
  )
  ends.add(() => storage.close())
  return { database, queue, storage, log }
}

const overDatabase = (database: Database, place: AdminPlace): Admin => {
  const ends = createEnds()
  ends.add(() => database.close())
  const parts: AdminParts = { database, examined: () => openExamined(database, place, ends) }
  return {
    call: async <N extends AdminName>(name: N, params: AdminParams<N>, signal = new AbortController().signal) =>
      (await callAdmin(parts, name, params, signal)) as AdminResult<N>,
    close: ends.run,
  }
}

/** Forwards each call to the server that holds the folder's lock; throws `locked` if it does not answer. */
const overServer = (state: string, locked: unknown): Admin => ({
  async call<N extends AdminName>(name: N, params: AdminParams<N>, signal?: AbortSignal) {
    const reply = await callServer(state, name, params, signal)
    if (!reply) throw locked
    return reply.result as AdminResult<N>
  },
  close: async () => {},
})

/** How long a command waits for a server that starts or stops, in milliseconds. */
const START_MS = 60_000

const isLocked = (thrown: unknown): boolean => isVidError(thrown) && thrown.code === 'VID_CLOUD_STATE_LOCKED'

/**
 * Opens the database of a server for its operator; while the server has it open, calls are forwarded to the server. Waits
 * for a server that has just begun to use the folder, for a minute at most.
 */
export const openAdmin = async (
  place: AdminPlace,
  { signal, startMs = START_MS }: { readonly signal?: AbortSignal; readonly startMs?: number } = {},
): Promise<Admin> => {
  const { databaseUrl, state, mayCreate = true } = place
  if (!databaseUrl && !mayCreate && !(await hasDatabase(databaseFolder(state))))
    throw fail('VID_CLOUD_STATE_MISSING', { folder: state })
  const open = async (): Promise<Admin> => {
    try {
      return overDatabase(await openDatabase(databaseUrl, state), place)
    } catch (thrown) {
      // Where the path is too long for a socket, no server will answer.
      if (isLocked(thrown) && (await isServed(state)) !== false) return overServer(state, thrown)
      throw thrown
    }
  }
  return retry(open, {
    signal,
    may: isLocked,
    delays: backOff({ firstMs: 100, maxMs: 1000 }),
    withinMs: () => startMs,
  })
}
