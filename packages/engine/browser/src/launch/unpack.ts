import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { describeCause } from '@vid/protocol'
import { makeScratchFolder, RUNS_NO_PROGRAMS, removeAbandoned, runsPrograms } from '@vid/system'
import { type ExtractOptions, extract } from 'tar-fs'
import { browserError } from '../errors.ts'
import { isExecutable } from './installed.ts'
import { MANIFEST, readUnpackedManifest, type UnpackedManifest, writeManifest } from './unpacked-files.ts'

const PROGRAM = 'headless_shell'
const TEMP_MARK = '.unpacking-'
const CHUNK_BYTES = 1 << 21
const EDGE_BYTES = 1 << 16

/** Version of the record beside the files. */
const LAYOUT = '2'

/** Root must not hand the files to the archive's user; the published types lack the option. */
const EXTRACT: ExtractOptions & { chown: boolean } = { chown: false }

/** Archives of the embedded browser, and where below the folder each one is unpacked. */
const ARCHIVES = [
  { file: 'chromium.br', to: PROGRAM, tar: false },
  { file: 'al2023.tar.br', to: '', tar: true },
  { file: 'swiftshader.tar.br', to: '', tar: true },
] as const

/** An unpacked browser: its program, the folder of its libraries, and its version. */
export interface UnpackedBrowser {
  readonly path: string
  readonly libraryDir: string
  readonly version: string
  /** Whether this call unpacked it. */
  readonly fresh: boolean
}

export interface UnpackRequest {
  /** Folder of the browser's archives, `*.br`. */
  readonly archives: string
  readonly cacheDir: string
  /** Read once from the unpacked program. */
  readonly readVersion: (unpacked: Pick<UnpackedBrowser, 'path' | 'libraryDir'>) => Promise<string>
  /** Whether to read every byte of an unpacked browser, and to unpack it again if one is wrong. */
  readonly thorough?: boolean
  readonly signal?: AbortSignal | undefined
}

/** A folder name from the archives' sizes and their first and last bytes: cheap, and different for each build. */
const nameOf = async (archives: string): Promise<string> => {
  const hash = createHash('sha256').update(LAYOUT)
  for (const { file } of ARCHIVES) {
    const handle = await open(join(archives, file))
    try {
      const { size } = await handle.stat()
      const edge = Buffer.alloc(EDGE_BYTES)
      const first = await handle.read(edge, 0, EDGE_BYTES, 0)
      hash.update(`${file} ${size}\n`).update(edge.subarray(0, first.bytesRead))
      const last = await handle.read(edge, 0, EDGE_BYTES, Math.max(0, size - EDGE_BYTES))
      hash.update(edge.subarray(0, last.bytesRead))
    } finally {
      await handle.close()
    }
  }
  return `browser-${hash.digest('hex').slice(0, 16)}`
}

const unpackArchives = async ({ archives, signal }: UnpackRequest, folder: string): Promise<void> => {
  for (const { file, to, tar } of ARCHIVES) {
    const archive = join(archives, file)
    const sink = tar ? extract(join(folder, to), EXTRACT) : createWriteStream(join(folder, to), { mode: 0o700 })
    try {
      await pipeline(
        createReadStream(archive, { highWaterMark: CHUNK_BYTES }),
        createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
        sink,
        signal === undefined ? {} : { signal },
      )
    } catch (cause) {
      signal?.throwIfAborted()
      throw browserError('VID_BROWSER_UNPACK_FAILED', { archive, folder, reason: describeCause(cause) }, { cause })
    }
  }
}

/**
 * Renames a complete folder to its final place. If another process was first, its folder stays, repaired if damaged.
 */
const settle = async (temp: string, folder: string, manifest: UnpackedManifest, thorough?: boolean): Promise<void> => {
  try {
    await rename(temp, folder)
    return
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(code)) throw cause
  }
  if ((await readUnpackedManifest(folder, thorough)) !== undefined) return
  await chmod(folder, 0o700)
  for (const file of [...Object.keys(manifest.files), MANIFEST]) {
    const parent = dirname(join(folder, file))
    await mkdir(parent, { recursive: true })
    // A folder without write permission would prevent its files from being replaced.
    await chmod(parent, 0o700)
    await rename(join(temp, file), join(folder, file))
  }
}

/** Unpacks the embedded browser into the cache folder once; later calls, also in other processes, reuse it. */
export const unpackBrowser = async (request: UnpackRequest): Promise<UnpackedBrowser> => {
  const { archives, cacheDir, readVersion, thorough, signal } = request
  const folder = join(cacheDir, await nameOf(archives))
  const placed = { path: join(folder, PROGRAM), libraryDir: join(folder, 'lib') }
  const existing = await readUnpackedManifest(folder, thorough)
  const refuse = () => browserError('VID_BROWSER_NOT_EXECUTABLE', { folder: cacheDir, reason: RUNS_NO_PROGRAMS })
  if (existing !== undefined) {
    if (!(await isExecutable(placed.path))) throw refuse()
    return { ...placed, version: existing.version, fresh: false }
  }

  await removeAbandoned(cacheDir, TEMP_MARK)
  const temp = await makeScratchFolder(cacheDir, TEMP_MARK)
  try {
    if (!(await runsPrograms(temp))) throw refuse()
    await unpackArchives(request, temp)
    signal?.throwIfAborted()
    const version = await readVersion({ path: join(temp, PROGRAM), libraryDir: join(temp, 'lib') })
    const manifest = await writeManifest(temp, version)
    await settle(temp, folder, manifest, thorough).catch((cause: unknown) => {
      const facts = { archive: archives, folder, reason: describeCause(cause) }
      throw browserError('VID_BROWSER_UNPACK_FAILED', facts, { cause })
    })
    return { ...placed, version, fresh: true }
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}
