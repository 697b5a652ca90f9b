import { join } from 'node:path'
import { isVidError } from '@vid/kernel'
import type { Database } from '../database/database.ts'
import { hasDatabase, openEmbedded } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { openPostgres } from '../database/postgres.ts'
import { fail } from '../errors.ts'
import { type AdminName, type AdminParams, type AdminResult, callAdmin } from './admin-functions.ts'
import { callServer } from './admin-socket.ts'

/** Does what operators do. */
export interface Admin {
  call<N extends AdminName>(name: N, params: AdminParams<N>): Promise<AdminResult<N>>
  close(): Promise<void>
}

/** Where the server keeps what it knows. */
export interface AdminPlace {
  /** Address of a Postgres. */
  readonly databaseUrl?: string | undefined
  /** The state folder of a server that has its database inside; used where there is no address. */
  readonly state: string
  /** The folder may be a new one; otherwise a missing one is an error. */
  readonly mayCreate?: boolean | undefined
}

/** Where a server keeps its embedded database. */
export const databaseFolder = (state: string): string => join(state, 'database')

const overDatabase = async (database: Database): Promise<Admin> => {
  try {
    await migrate(database)
  } catch (thrown) {
    await database.close()
    throw thrown
  }
  return {
    call: async (name, params) => (await callAdmin(database, name, params)) as never,
    close: () => database.close(),
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
export const openAdmin = async ({ databaseUrl, state, mayCreate = true }: AdminPlace): Promise<Admin> => {
  if (databaseUrl) return overDatabase(await openPostgres(databaseUrl))
  if (!mayCreate && !(await hasDatabase(databaseFolder(state))))
    throw fail('VID_CLOUD_STATE_MISSING', { folder: state })
  try {
    return await overDatabase(await openEmbedded(databaseFolder(state)))
  } catch (thrown) {
    if (isVidError(thrown) && thrown.code === 'VID_CLOUD_STATE_LOCKED') return overServer(state, thrown)
    throw thrown
  }
}
