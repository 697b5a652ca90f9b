import { watch } from 'node:fs'
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkUnchanged, type ExtractJob, type MediaProcess } from '@vid/ffmpeg'
import { createChange, failRender } from '@vid/protocol'
import { makeScratchFolder, untilAborted } from '@vid/system'
import { captureFailure } from '../capture-errors.ts'
import { extractNearest, lastUntil, runExtraction, tickOf } from './extraction.ts'
import { isWholeImage } from './whole-image.ts'

/** Description of a finished folder; a folder that does not match it is damaged. */
const INDEX = 'index.json'

/** Prefix of folders that are still being filled. */
export const PARTIAL = 'partial-'

/** Extracted frames of a source, complete or still being written. */
export interface FrameFolder {
  /** Absolute path of the frame that is shown at a time stamp in ticks; waits until it has been extracted. */
  file(tick: number, signal: AbortSignal): Promise<string>
  /** Settles when the extraction has ended, with ffmpeg's message if some frames could not be read. */
  readonly finished: Promise<string | undefined>
  /** ffmpeg's message about unreadable frames so far; undefined while there are none. */
  complaint(): string | undefined
  /** Stops a pending extraction, and removes files that no other render can use. */
  close(): Promise<void>
}

const sizesOf = async (folder: string): Promise<Record<string, number>> => {
  const names = (await readdir(folder)).filter((name) => tickOf(name) !== undefined)
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).size] as const)),
  )
}

/** Opens the folder of an earlier extraction; undefined when there is none or it is damaged. */
export const openFrameFolder = async (path: string, format: string): Promise<FrameFolder | undefined> => {
  const index = await readFile(join(path, INDEX), 'utf8').catch(() => undefined)
  if (index === undefined) return undefined
  const sizes = await sizesOf(path)
  const sorted = (of: Record<string, number>) => JSON.stringify(Object.entries(of).sort())
  let names: Record<string, number> = {}
  try {
    names = JSON.parse(index) as Record<string, number>
  } catch {
    return undefined
  }
  if (sorted(names) !== sorted(sizes) || Object.values(sizes).includes(0)) return undefined
  const ticks = Object.keys(sizes).flatMap((name) => tickOf(name) ?? [])
  // The time of its last use decides how long it is kept.
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined)
  return {
    finished: Promise.resolve(undefined),
    complaint: () => undefined,
    close: async () => {},
    async file(tick) {
      const frame = lastUntil(ticks, tick) ?? Math.min(...ticks)
      return join(path, `${frame}.${format}`)
    },
  }
}

/** Reports the names of files as they appear, until the returned function is called. */
const watchNames = (folder: string, appeared: (name: string) => void): (() => void) => {
  try {
    const watcher = watch(folder, (_, name) => appeared(name ?? ''))
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    // The system limits watchers. Without one, the folder is read once the extraction ends.
    return () => {}
  }
}

/** Throws if an image is incomplete: old versions of ffmpeg do not report one that did not fit on the disk. */
const checkImages = async (folder: string, names: readonly string[], format: ExtractJob['frameFormat']) => {
  for (const name of names)
    if (!(await isWholeImage(join(folder, name), format)))
      throw failRender('VID_MACHINE_LACKS', { doing: 'extracting a video', reason: `${name} is incomplete` })
}

/** Extracts into a folder beside `path`, which is renamed to `path` when it is complete. */
export const fillFrameFolder = async (
  path: string,
  job: Omit<ExtractJob, 'folder' | 'signal'>,
): Promise<FrameFolder> => {
  const stop = new AbortController()
  let folder = await makeScratchFolder(dirname(path), PARTIAL)
  const ticks = new Set<number>()
  const change = createChange()
  let latest = -Infinity
  let ended = false
  let failure: unknown
  let extraction: MediaProcess | undefined
  const stopWatching = watchNames(folder, (name) => {
    const tick = tickOf(name)
    if (tick === undefined) return
    ticks.add(tick)
    latest = Math.max(latest, tick)
    change.note()
  })

  const filling = { ...job, folder, signal: stop.signal }
  const extract = async () => {
    try {
      let complaint = await runExtraction(filling, (child) => {
        extraction = child
      })
      for (const name of Object.keys(await sizesOf(folder))) ticks.add(tickOf(name) ?? 0)
      if (ticks.size === 0) complaint ??= 'ffmpeg wrote none'
      // Truncated sources often list a last frame that is incomplete.
      if (complaint !== undefined && lastUntil(ticks, job.fromTick) === undefined) {
        const nearest = await extractNearest(filling)
        if (nearest !== undefined) ticks.add(nearest)
      }
      if (ticks.size === 0)
        throw captureFailure('VID_MEDIA_NO_FRAME', {
          // Who shows the frames knows the name that the author gave the source.
          src: job.source.digest,
          tick: job.fromTick,
          reason: complaint ?? '',
        })
      const sizes = await sizesOf(folder)
      await checkImages(folder, Object.keys(sizes), job.frameFormat)
      await checkUnchanged(job.source, filling)
      // An incomplete extraction is used now, but not kept: the next render tries again.
      if (complaint !== undefined) return complaint
      // A link that a decoder put there must not be followed.
      await writeFile(join(folder, INDEX), JSON.stringify(sizes), { flag: 'wx' })
      // Another process may have been faster; its frames are the same.
      const moved = await rename(folder, path).then(
        () => true,
        () => false,
      )
      if (moved) folder = path
      return undefined
    } catch (error) {
      failure = error
      await rm(folder, { recursive: true, force: true })
      throw error
    } finally {
      ended = true
      stopWatching()
      change.note()
    }
  }
  const fileAt = (tick: number) => {
    const frame = lastUntil(ticks, tick) ?? Math.min(...ticks)
    return join(folder, `${frame}.${job.frameFormat}`)
  }
  const finished = extract()
  finished.catch(() => {})

  return {
    finished,
    // A failure says it all.
    complaint: () => (failure === undefined ? extraction?.reported() : undefined),
    async close() {
      stop.abort()
      await finished.catch(() => {})
      if (folder !== path) await rm(folder, { recursive: true, force: true })
    },
    async file(tick, signal) {
      for (;;) {
        signal.throwIfAborted()
        if (failure !== undefined) throw failure
        if (ended) return fileAt(tick)
        // Frames are written in order: once a later one exists, no nearer one follows, unless none precedes it.
        const isThere = ticks.has(tick) || (latest > tick + 1 && lastUntil(ticks, tick) !== undefined)
        if (isThere && (await isWholeImage(fileAt(tick), job.frameFormat))) {
          await checkUnchanged(job.source, { tools: job.tools, signal })
          return fileAt(tick)
        }
        if (ended) continue
        await untilAborted(change.wait(), signal)
      }
    },
  }
}
