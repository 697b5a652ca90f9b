import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { RUNS_NO_PROGRAMS } from '@vid/system'
import { browserError } from '../errors.ts'
import { isExecutable } from './installed.ts'
import { MILESTONE, programName } from './platform.ts'
import { readUnpackedManifest } from './unpacked-files.ts'

const FOLDER = /^downloaded-(\d+)\.(\d+)\.(\d+)\.(\d+)$/

/** A browser that `vid browser install` has downloaded into the cache folder. */
export interface DownloadedBrowser {
  readonly path: string
  readonly version: string
}

/** The name of the folder of a downloaded browser, in the cache folder. */
export const downloadedName = (version: string): string => `downloaded-${version}`

/** The latest folder of this milestone; other versions of vid may have downloaded others. */
const latestOf = (names: readonly string[]): string | undefined =>
  names
    .flatMap((name) => {
      const [, ...parts] = FOLDER.exec(name) ?? []
      return Number(parts[0]) === MILESTONE ? [{ name, parts: parts.map(Number) }] : []
    })
    .sort((a, b) => a.parts.map((part, index) => part - (b.parts[index] ?? 0)).find(Boolean) ?? 0)
    .at(-1)?.name

/** Finds the downloaded browser; one that is damaged is an error, since another browser would draw other pictures. */
export const findDownloaded = async (cacheDir: string): Promise<DownloadedBrowser | undefined> => {
  const name = latestOf(await readdir(cacheDir))
  if (name === undefined) return undefined
  const folder = join(cacheDir, name)
  const manifest = await readUnpackedManifest(folder)
  if (manifest === undefined) throw browserError('VID_BROWSER_DOWNLOADED_DAMAGED', { folder })
  const path = join(folder, programName(process.platform))
  if (!(await isExecutable(path)))
    throw browserError('VID_BROWSER_NOT_EXECUTABLE', { folder, reason: RUNS_NO_PROGRAMS })
  return { path, version: manifest.version }
}
