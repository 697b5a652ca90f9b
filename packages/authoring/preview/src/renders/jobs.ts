import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, dirname, relative } from 'node:path'
import { contentTypeOf } from '@vid/assets'
import { defined, type RenderEvent } from '@vid/protocol'
import { codedError, type Renderer, type RenderOutcome } from '@vid/render'
import type { Job, RenderBody } from '../api.ts'
import { fail } from '../errors.ts'
import type { StateFolder } from '../states/state-folders.ts'

/** The renders that the page has started. */
export interface Jobs {
  start(settings: RenderBody): Job
  /** The latest first. */
  list(): readonly Job[]
  get(id: string): Job
  /** Asks a running one to end; one that has ended stays as it is. */
  cancel(id: string): Job
  /** Absolute path of a file that one made. */
  file(id: string, index: number): string
  /** Whether a path is, or belongs to, what one writes. */
  writes(path: string): boolean
}

interface Entry {
  job: Job
  readonly stop: AbortController
  /** Absolute paths of what it made, or is to make. */
  paths: readonly string[]
  captureFrom: number | undefined
}

/** As many are remembered. */
const MAX_JOBS = 100

const isOver = ({ state }: Job) => state !== 'queued' && state !== 'running'

/** What a video or a folder of images is, for a page that shows it. */
const typeOf = (path: string, isFolder: boolean) => (isFolder ? 'inode/directory' : contentTypeOf(path))

const filesOf = async (id: string, { files }: RenderOutcome): Promise<Job['files']> =>
  Promise.all(
    files.map(async ({ path, bytes }, index) => {
      const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true
      return {
        name: basename(path),
        bytes,
        contentType: typeOf(path, isFolder),
        url: isFolder ? null : `/api/jobs/${id}/files/${index}`,
      }
    }),
  )

/** Keeps the renders of a preview; `onChange` receives each step of each. */
export const createJobs = ({
  renderer,
  useStaged,
  dir,
  cwd,
  onChange,
}: {
  readonly renderer: Pick<Renderer, 'render'>
  /** Runs work on a composition as it is staged. */
  readonly useStaged: <T>(entry: string, signal: AbortSignal, work: (folder: StateFolder) => Promise<T>) => Promise<T>
  readonly dir: string
  readonly cwd: string
  readonly onChange: (job: Job) => void
}): Jobs => {
  const entries = new Map<string, Entry>()

  const update = (entry: Entry, changes: Partial<Job>) => {
    entry.job = { ...entry.job, ...changes }
    onChange(entry.job)
  }
  const progress = (entry: Entry, event: RenderEvent) => {
    if (event.type === 'render-start') {
      entry.paths = [...entry.paths, event.outputPath]
      update(entry, { state: 'running' })
    }
    if (event.type === 'warning') update(entry, { warnings: [...entry.job.warnings, event.warning] })
    if (event.type !== 'render-progress') return
    const { stage, framesRendered, totalFrames } = event
    if (framesRendered > 0) entry.captureFrom ??= Date.now()
    const elapsedMs = entry.captureFrom === undefined ? 0 : Date.now() - entry.captureFrom
    const speed = elapsedMs > 0 ? (framesRendered * 1000) / elapsedMs : null
    const remaining = totalFrames - framesRendered
    update(entry, {
      state: 'running',
      stage,
      progress: event.progress,
      framesRendered,
      totalFrames,
      speed,
      remainingMs: speed === null || stage !== 'render' ? null : (remaining * 1000) / speed,
    })
  }
  const end = { stage: null, remainingMs: null } as const
  const run = async (entry: Entry) => {
    const { entry: file, variables, format, quality, fps, from, to, preset, target } = entry.job.settings
    const settings = defined({ variables, format, quality, fps, from, to, preset, target })
    const { id } = entry.job
    try {
      const { signal } = entry.stop
      const outcome = await useStaged(file, signal, ({ projectDir, state }) => {
        if (state !== entry.job.source) update(entry, { source: state })
        const events = { signal, onEvent: (event: RenderEvent) => progress(entry, event) }
        return renderer.render({ projectDir, entry: file, ...settings }, events)
      })
      entry.paths = outcome.files.map(({ path }) => path)
      const [first = dir] = entry.paths
      update(entry, {
        ...end,
        state: 'completed',
        progress: 1,
        endedAt: new Date().toISOString(),
        folder: relative(cwd, dirname(first)) || '.',
        files: await filesOf(id, outcome),
        warnings: outcome.warnings,
      })
    } catch (thrown) {
      const error = codedError(thrown, entry.stop.signal)
      const isCancelled = error.code === 'VID_CANCELLED'
      update(entry, {
        ...end,
        state: isCancelled ? 'cancelled' : 'failed',
        endedAt: new Date().toISOString(),
        error: isCancelled ? null : error.toJSON(),
      })
    }
  }
  const forget = () => {
    const over = [...entries.values()].filter(({ job }) => isOver(job))
    for (const { job } of over.slice(0, Math.max(0, entries.size - MAX_JOBS))) entries.delete(job.id)
  }
  const find = (id: string): Entry => {
    const entry = entries.get(id)
    if (!entry) throw fail('VID_PREVIEW_JOB', { id })
    return entry
  }
  return {
    start(settings) {
      const id = randomBytes(9).toString('base64url')
      const job: Job = {
        id,
        state: 'queued',
        settings,
        source: 'written',
        stage: null,
        progress: 0,
        framesRendered: 0,
        totalFrames: 0,
        speed: null,
        remainingMs: null,
        startedAt: new Date().toISOString(),
        endedAt: null,
        folder: null,
        files: [],
        warnings: [],
        error: null,
      }
      const entry: Entry = { job, stop: new AbortController(), paths: [], captureFrom: undefined }
      entries.set(id, entry)
      forget()
      onChange(job)
      void run(entry)
      return job
    },
    list: () => [...entries.values()].map(({ job }) => job).reverse(),
    get: (id) => find(id).job,
    cancel(id) {
      const entry = find(id)
      entry.stop.abort()
      return entry.job
    },
    file(id, index) {
      const { job, paths } = find(id)
      const path = job.state === 'completed' && job.files[index]?.url ? paths[index] : undefined
      if (path === undefined) throw fail('VID_PREVIEW_JOB', { id: `${id}/files/${index}` })
      return path
    },
    writes: (path) =>
      [...entries.values()].some(({ paths }) => paths.some((output) => path === output || path.startsWith(output))),
  }
}
