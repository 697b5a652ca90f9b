import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describeCause, schemaProblems, type TSchema } from '@vid/protocol'
import { digestFile, isBlobKey, runPool, scratchName } from '@vid/system'
import type { Database } from '../database/database.ts'
import { databaseFolder, openEmbedded } from '../database/embedded.ts'
import { migrate, schemaVersion } from '../database/migrate.ts'
import { SCHEMA_VERSION } from '../database/migrations/index.ts'
import { openPostgres } from '../database/postgres.ts'
import { fail } from '../errors.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { Storage } from '../storage/storage.ts'
import {
  type BackupManifest,
  backupKeys,
  COPIED_AT_ONCE,
  type ListedFile,
  ListedFileSchema,
  ManifestSchema,
  openBackupPlace,
} from './backup-place.ts'
import { writeRows } from './rows.ts'

/** The target of a restore: a database without accounts and a storage without other files. */
export interface RestorePlace {
  /** Address of a Postgres server; the database in the state folder if left out. */
  readonly databaseUrl?: string | undefined
  readonly state: string
  /** Folder or S3 address of the server's storage; a folder in the state folder if left out. */
  readonly storage?: string | undefined
  /** Absolute folder that relative paths start from. */
  readonly cwd: string
  readonly signal: AbortSignal
}

/** What was restored. */
export interface RestoredFacts {
  readonly createdAt: string
  readonly files: number
  readonly bytes: number
}

/** A backup opened for reading. */
interface Source {
  readonly place: Storage
  /** Folder for downloaded files. */
  readonly work: string
  readonly signal: AbortSignal
}

const invalid = ({ place }: Source, problem: string) =>
  fail('VID_CLOUD_BACKUP_INVALID', { place: place.description, problem })

/** Fetches a file of a backup and verifies it against the manifest. */
const fetchPart = async (
  source: Source,
  key: string,
  path: string,
  { bytes, sha256 }: { readonly bytes: number; readonly sha256: string },
): Promise<string> => {
  const { place, signal } = source
  if (!(await place.get(key, path, { signal }))) throw invalid(source, `it has no "${key}"`)
  const isSame = (await stat(path)).size === bytes && (await digestFile(path, signal)) === sha256
  if (!isSame) throw invalid(source, `its "${key}" has changed since it was made`)
  return path
}

const parse = <T>(source: Source, schema: TSchema, text: string): T => {
  try {
    const value: unknown = JSON.parse(text)
    const problems = schemaProblems(schema, value)
    if (problems.length === 0) return value as T
    throw invalid(source, problems.join('; '))
  } catch (thrown) {
    throw thrown instanceof SyntaxError ? invalid(source, describeCause(thrown)) : thrown
  }
}

const readManifest = async (source: Source): Promise<BackupManifest> => {
  const { place, work, signal } = source
  const path = join(work, 'manifest')
  if (!(await place.get(backupKeys.manifest, path, { signal })))
    throw invalid(source, 'it has no backup.json, which is written last')
  return parse<BackupManifest>(source, ManifestSchema, await readFile(path, 'utf8'))
}

const readFiles = async (source: Source, path: string): Promise<ReadonlyMap<string, ListedFile>> => {
  const files = new Map<string, ListedFile>()
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const file = parse<ListedFile>(source, ListedFileSchema, line)
    if (!isBlobKey(file.key)) throw invalid(source, `it lists "${file.key}", which is no name of a file`)
    files.set(file.key, file)
  }
  return files
}

const hasAccounts = async (database: Database): Promise<boolean> =>
  (await schemaVersion(database)) > 0 && (await database.rows('SELECT 1 FROM vid.accounts LIMIT 1')).length > 0

/** Refuses a target in use: its rows would be lost, and its files would be removed as orphans. */
const checkUnused = async (database: Database, { schemaVersion: version }: BackupManifest): Promise<void> => {
  if (version > SCHEMA_VERSION) throw fail('VID_CLOUD_SCHEMA_NEWER', { found: version, known: SCHEMA_VERSION })
  const problem = 'the database has accounts'
  if (await hasAccounts(database)) throw fail('VID_CLOUD_RESTORE_PLACE', { problem })
  const present = await schemaVersion(database)
  if (present > version)
    throw fail('VID_CLOUD_RESTORE_PLACE', {
      problem: 'the schema of the database is newer than the backup',
    })
}

const checkStorage = async (storage: Storage, files: ReadonlyMap<string, ListedFile>): Promise<void> => {
  for await (const { key } of storage.list(''))
    if (!files.has(key)) throw fail('VID_CLOUD_RESTORE_PLACE', { problem: `the ${storage.description} has "${key}"` })
}

const restoreInto = async (
  database: Database,
  source: Source & { readonly manifest: BackupManifest },
  place: RestorePlace,
): Promise<RestoredFacts> => {
  const { work, signal, manifest } = source
  await checkUnused(database, manifest)
  const rows = await fetchPart(source, backupKeys.rows, join(work, 'rows'), manifest.rows)
  const list = await fetchPart(source, backupKeys.files, join(work, 'list'), manifest.files)
  const files = await readFiles(source, list)
  await migrate(database, manifest.schemaVersion)
  const { storage } = await openStorage({ ...place, publicUrl: () => '' }, database)
  try {
    await checkStorage(storage, files)
    await runPool(files.values(), COPIED_AT_ONCE, signal, async (file) => {
      const path = await fetchPart(source, backupKeys.file(file.key), join(work, scratchName('file-')), file)
      await storage.put(file.key, path, { signal })
      await rm(path)
    })
  } finally {
    await storage.close()
  }
  // Rows are written last: until then, an interrupted restore can be repeated.
  await writeRows(database, rows)
  await migrate(database)
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0)
  return { createdAt: manifest.createdAt, files: files.size, bytes }
}

/** Restores a backup to an unused target. */
export const restoreBackup = async (from: string, target: RestorePlace): Promise<RestoredFacts> => {
  const { databaseUrl, cwd, signal } = target
  const state = resolve(cwd, target.state)
  const place = await openBackupPlace(from, cwd)
  const work = await mkdtemp(join(tmpdir(), 'vid-restore-'))
  try {
    const source = { place, work, signal }
    // Read first, so that nothing is created if there is no backup.
    const manifest = await readManifest(source)
    const database = await (databaseUrl ? openPostgres(databaseUrl) : openEmbedded(databaseFolder(state)))
    try {
      return await restoreInto(database, { ...source, manifest }, { ...target, state })
    } finally {
      await database.close()
    }
  } finally {
    await rm(work, { recursive: true, force: true })
    await place.close()
  }
}
