// The files of an embedded database that holds nothing yet, which Postgres takes seconds to make.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { path } from '../workspaces.mjs'

const output = 'packages/services/cloud/dist/empty-database.tar.gz'

export const emptyDatabaseOutputs = [output]

export const packEmptyDatabase = async () => {
  const { PGlite } = createRequire(path('packages/services/cloud/package.json'))('@electric-sql/pglite')
  const database = await PGlite.create()
  const archive = await database.dumpDataDir('gzip')
  await database.close()
  mkdirSync(dirname(path(output)), { recursive: true })
  writeFileSync(path(output), Buffer.from(await archive.arrayBuffer()))
}
