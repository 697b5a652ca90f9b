import type { Database } from './database.ts'
import { databaseFolder, openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { openPostgres, type PoolOptions } from './postgres.ts'

/** Opens and migrates the database of a server: a Postgres by its address, or the embedded one in the state folder. */
export const openDatabase = async (
  address: string | undefined,
  state: string,
  pool: PoolOptions = {},
): Promise<Database> => {
  const database = await (address ? openPostgres(address, pool) : openEmbedded(databaseFolder(state)))
  try {
    await migrate(database)
    return database
  } catch (thrown) {
    await database.close()
    throw thrown
  }
}
