import { randomBytes } from 'node:crypto'
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CloudRender } from '@vid/client/contract'
import type { VidError } from '@vid/protocol'
import { codedError, type Renderer, type RenderSettings } from '@vid/render'
import { afterServed, inTempFolder, makeScratchFolder } from '@vid/system'
import { randomText } from '../ids.ts'
import type { Storage } from '../storage/storage.ts'

/** A part of a worker that every render needs. */
export type WorkerPart = 'disk' | 'storage' | 'browser' | 'encoder' | 'renderer'

/** A part of a worker that does not work, and why. */
export interface Defect {
  readonly part: WorkerPart
  readonly error: VidError
}

/** A job that failed on a worker: a trial renders a video as it was to make. */
export interface FailedJob {
  readonly video: Pick<CloudRender, 'format' | 'codec'>
  readonly error: VidError
}

/** Whether an error comes of a machine, as far as it says. */
export const isOfMachine = ({ fault, code }: VidError): boolean => fault === 'machine' || code === 'VID_UNEXPECTED'

/** Dependencies of a trial. */
export interface TrialParts {
  readonly storage: Pick<Storage, 'put' | 'remove'>
  readonly renderer: Pick<Renderer, 'render'>
  /** Absolute folder for unfinished files of this worker. */
  readonly workDir: string
  /** Settings common to all renders of the worker. */
  readonly settings: Pick<RenderSettings, 'preset' | 'target' | 'workers'>
}

/** Prefix of the names of folders and objects of trials. */
export const TRIAL_PREFIX = 'vid-trial-'
/** Prefix of the keys of the objects that prove that the storage can be written to. */
const READY_PREFIX = 'ready/'

const MIB = 2 ** 20
/** Space that a render needs at least on the disk: a disk that is nearly full fails them all. */
const DISK_MIB = 32
/** Size of the object: more than fits into a full storage. */
const OBJECT_MIB = 4
/** Longest served time of a trial, in milliseconds: a browser that never answers does not work. */
const TRIAL_MS = 120_000

const COMPOSITION = `<!doctype html><html><body style="margin:0"><div data-composition-id="trial" data-width="64" data-height="64" data-duration="0.1" data-no-timeline style="width:64px;height:64px;background:#1d6"><i style="display:block;width:32px;height:32px;background:#fff"></i></div></body></html>`

/** Writes a file of some MiB that cannot be compressed, and flushes it. */
const fillFile = async (path: string, mebibytes: number): Promise<void> => {
  const block = randomBytes(MIB)
  const file = await open(path, 'wx', 0o600)
  try {
    for (let count = 0; count < mebibytes; count += 1) await file.write(block)
    await file.sync()
  } finally {
    await file.close()
  }
}

const tryFolder = async (parent: string): Promise<void> => {
  const folder = await makeScratchFolder(parent, TRIAL_PREFIX)
  try {
    await fillFile(join(folder, 'filled'), DISK_MIB)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

const tryDisk = async ({ workDir }: TrialParts): Promise<void> => {
  await tryFolder(workDir)
  await inTempFolder(tryFolder)
}

const tryStorage = async ({ storage }: TrialParts, folder: string, signal: AbortSignal): Promise<void> => {
  const file = join(folder, 'object')
  await fillFile(file, OBJECT_MIB)
  const key = `${READY_PREFIX}worker-${randomText(16)}`
  try {
    await storage.put(key, file, { signal })
  } finally {
    await storage.remove([key]).catch(() => {})
  }
}

const tryRender = async (
  { renderer, settings }: TrialParts,
  { format, codec }: FailedJob['video'],
  folder: string,
  signal: AbortSignal,
): Promise<void> => {
  const projectDir = join(folder, 'project')
  await mkdir(projectDir)
  await writeFile(join(projectDir, 'index.html'), COMPOSITION)
  const output = join(folder, format === 'hls' ? 'video' : `video.${format}`)
  const video = { format, fps: 30, quality: 'draft', ...(codec !== undefined && { codec }) } as const
  // Segments that were kept would show nothing about this worker.
  await renderer.render({ ...settings, ...video, projectDir, output, fresh: true }, { signal })
}

const ENCODING: ReadonlySet<string | undefined> = new Set(['encode', 'join', 'mix', 'verify'])

const renderPart = ({ hook, code }: VidError): WorkerPart => {
  if (ENCODING.has(hook) || code.startsWith('VID_FFMPEG')) return 'encoder'
  return hook === 'capture' || code.startsWith('VID_BROWSER') ? 'browser' : 'renderer'
}

/**
 * Tries what every render needs: the disk, the storage, and a short video. Resolves to the first part that does not
 * work: an error of the video counts if it is the machine's, or that of the job. The config may refuse such a video for
 * reasons of its own. Rejects only if `signal` aborts.
 */
export const tryWorker = async (
  parts: TrialParts,
  { video, error: expected }: FailedJob,
  signal: AbortSignal,
): Promise<Defect | undefined> => {
  const time = new AbortController()
  const cancel = afterServed(TRIAL_MS, () => time.abort(new Error(`it did not finish within ${TRIAL_MS / 1000} s`)))
  const limit = AbortSignal.any([signal, time.signal])
  const attempt = async (work: () => Promise<void>): Promise<VidError | undefined> => {
    try {
      await work()
      return undefined
    } catch (thrown) {
      signal.throwIfAborted()
      return codedError(thrown, limit)
    }
  }
  let folder = ''
  try {
    const full = await attempt(async () => {
      await tryDisk(parts)
      folder = await makeScratchFolder(parts.workDir, TRIAL_PREFIX)
    })
    if (full) return { part: 'disk', error: full }
    const unkept = await attempt(() => tryStorage(parts, folder, limit))
    if (unkept) return { part: 'storage', error: unkept }
    const error = await attempt(() => tryRender(parts, video, folder, limit))
    const isDefect = error && (time.signal.aborted || isOfMachine(error) || error.code === expected.code)
    return isDefect ? { part: renderPart(error), error } : undefined
  } finally {
    cancel()
    // What cannot be removed now is removed when the worker starts again.
    if (folder !== '') await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}
