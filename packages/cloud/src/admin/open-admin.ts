import { isVidError } from '@vid/kernel'
import type { Database } from '../database/database.ts'
import { databaseFolder, hasDatabase } from '../database/embedded.ts'
import { openDatabase } from '../database/open-database.ts'
import type { Examined } from '../doctor/examine.ts'
import { createEnds, type Ends } from '../ends.ts'
import { fail } from '../errors.ts'
import { openQueue } from '../queue/queue.ts'
import { openStorage } from '../storage/open-storage.ts'
import { type AdminName, type AdminParams, type AdminParts, type AdminResult, callAdmin } from './admin-functions.ts'
import { callServer } from './admin-socket.ts'

/** Does what operators do. */
export interface Admin {
  call<N extends AdminName>(name: N, params: AdminParams<N>, signal?: AbortSignal): Promise<AdminResult<N>>
  close(): Promise<void>
}

/** Where the server keeps what it knows. */
export interface AdminPlace {
  /** Address of a Postgres. */
  readonly databaseUrl?: string | undefined
  /** The state folder of a server that has its database inside; used where there is no address. */
  readonly state: string
  /** Storage of the server, as `vid cloud serve` names it. */
  readonly storage?: string | undefined
  /** Absolute folder at which relative paths start; the current one if left out. */
  readonly cwd?: string | undefined
  /** The folder may be a new one; otherwise a missing one is an error. */
  readonly mayCreate?: boolean | undefined
}

/** Opens what `vid cloud doctor` looks at. */
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
    call: async (name, params, signal = new AbortController().signal) =>
      (await callAdmin(parts, name, params, signal)) as never,
    close: ends.run,
  }
}

/** Has the server do it that locks the folder; `locked` is thrown when it does not answer. */
const overServer = (state: string, locked: unknown): Admin => ({
  async call(name, params) {
    const reply = await callServer(state, name, params)
    if (!reply) throw locked
    return reply.result as never
  },
  close: async () => {},
})

/** Opens the database of a server for its operator; while the server itself has it open, the server does what is asked. */
export const openAdmin = async (place: AdminPlace): Promise<Admin> => {
  const { databaseUrl, state, mayCreate = true } = place
  if (!databaseUrl && !mayCreate && !(await hasDatabase(databaseFolder(state))))
    throw fail('VID_CLOUD_STATE_MISSING', { folder: state })
  try {
    return overDatabase(await openDatabase(databaseUrl, state), place)
  } catch (thrown) {
    if (isVidError(thrown) && thrown.code === 'VID_CLOUD_STATE_LOCKED') return overServer(state, thrown)
    throw thrown
  }
}
