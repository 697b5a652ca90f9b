import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { describeCause, type RemoteCost } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { RowFile } from './row-files.ts'

export interface ManifestRow {
  /** Counted from 0, over all rows in each of their shapes. */
  readonly index: number
  /** Number of the row in its file, where each is rendered in several shapes. */
  readonly row?: number
  /** Its number in messages, where its file does not count rows from 0. */
  readonly number?: number
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'skipped' | 'cancelled'
  readonly outputPath: string
  /** Shape of its picture, where one was requested. */
  readonly shape?: string
  /** Length of the video. */
  readonly durationMs: number | null
  readonly renderTimeMs: number | null
  /** What the machines of another side have cost, where that is known. */
  readonly cost?: RemoteCost
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null
  /** ISO 8601. */
  readonly startedAt: string | null
  readonly completedAt: string | null
  readonly variables: Readonly<Record<string, unknown>>
  /** Names everything that decides its files, as far as it shows without a page; null where that is not known. */
  readonly plan?: string | null
  /** Its files, as they were left; null where they are not all on this disk. */
  readonly files?: readonly RowFile[] | null
}

/** The state of a batch, as `manifest.json` holds it. */
export interface Manifest {
  readonly version: 1
  readonly batchPath: string
  /** Empty for the shapes of one render, which have no file. */
  readonly manifestPath: string
  readonly total: number
  readonly completed: number
  readonly failed: number
  readonly skipped: number
  /** Rows that were interrupted. */
  readonly cancelled: number
  /** Completed rows that an earlier run rendered and this one did not. */
  readonly unchanged: number
  readonly rows: readonly ManifestRow[]
}

/** What messages call a row: its number, or its shape where the rows are the shapes of one render. */
export const rowLabel = (
  { manifestPath }: Pick<Manifest, 'manifestPath'>,
  { index, row, shape, number = row ?? index }: Pick<ManifestRow, 'index' | 'row' | 'shape' | 'number'>,
) => {
  if (manifestPath === '' && shape !== undefined) return shape
  return row === undefined ? `row ${number}` : `row ${number} in ${shape}`
}

/** The deepest folder that holds all paths. */
export const commonFolder = (paths: readonly string[]): string => {
  const [first = [], ...rest] = paths.map((path) => dirname(path).split(sep))
  const differs = first.findIndex((part, index) => rest.some((other) => other[index] !== part))
  return (differs === -1 ? first : first.slice(0, differs)).join(sep) || sep
}

/** A row before a batch starts, with what an earlier run left of it. */
export type ManifestPlan = Pick<ManifestRow, 'outputPath' | 'variables'> &
  Partial<Omit<ManifestRow, 'index' | 'outputPath' | 'variables'>> & { readonly isUnchanged?: boolean }

/** Replaces the whole file, and returns what it holds now. */
const writeManifest = async (manifestPath: string, state: () => Manifest): Promise<Manifest> => {
  // A fixed name, so that the next batch overwrites what a killed one left.
  const newPath = `${manifestPath}.new`
  try {
    await mkdir(dirname(manifestPath), { recursive: true })
    const now = state()
    // A link that somebody put there is not followed.
    await rm(newPath, { force: true })
    const file = await open(newPath, 'wx')
    try {
      await file.writeFile(`${JSON.stringify(now, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(newPath, manifestPath)
    return now
  } catch (cause) {
    await rm(newPath, { force: true }).catch(() => {})
    const { completed, total } = state()
    const facts = { path: manifestPath, reason: describeCause(cause), finished: completed, total }
    throw fail('VID_MANIFEST_UNWRITABLE', facts, { cause })
  }
}

/** Keeps `manifest.json`, if there is one, up to date: every change replaces the whole file, one after another. */
export const createManifest = (batchPath: string, manifestPath: string, planned: readonly ManifestPlan[]) => {
  const unchanged = planned.filter(({ isUnchanged }) => isUnchanged).length
  const rows: ManifestRow[] = planned.map(({ isUnchanged: _, ...row }, index) => ({
    index,
    status: 'pending',
    durationMs: null,
    renderTimeMs: null,
    error: null,
    startedAt: null,
    completedAt: null,
    ...row,
  }))
  const count = (status: ManifestRow['status']) => rows.filter((row) => row.status === status).length
  const state = (): Manifest => ({
    version: 1,
    batchPath,
    manifestPath,
    total: rows.length,
    completed: count('completed'),
    failed: count('failed'),
    skipped: count('skipped'),
    cancelled: count('cancelled'),
    unchanged,
    rows: [...rows],
  })
  let written = state()
  const write = async () => {
    written = manifestPath === '' ? state() : await writeManifest(manifestPath, state)
  }
  let last = Promise.resolve()
  let queued: Promise<void> | undefined
  /** Changes that arrive during a write go into the next write together. */
  const save = (): Promise<void> => {
    queued ??= last.then(() => {
      queued = undefined
      last = write()
      return last
    })
    return queued
  }
  return {
    /** Content of the file. */
    written: () => written,
    save,
    change(index: number, change: Partial<ManifestRow>): Promise<void> {
      rows[index] = { ...(rows[index] as ManifestRow), ...change }
      return save()
    },
  }
}

/** The manifest of a running batch. */
export type BatchManifest = ReturnType<typeof createManifest>
