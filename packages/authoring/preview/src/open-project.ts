import { rm } from 'node:fs/promises'
import { type ProjectChange, watchProject } from '@vid/analysis/watch'
import { openContext } from '@vid/render'
import { inTempFolder, makeScratchFolder } from '@vid/system'
import type { PreviewEvent } from './api.ts'
import { createEdits } from './edits/edits.ts'
import { type CompositionList, createCompositionList } from './project/compositions.ts'
import { openProjectFiles } from './project/project-files.ts'
import { type ProjectSettings, readProjectSettings } from './project/settings.ts'
import { openCaptures } from './renders/captures.ts'
import type { PreviewParts } from './routes/parts.ts'

/** What the servers of a preview are made of. */
export interface OpenProject {
  readonly parts: Omit<PreviewParts, 'app' | 'origin' | 'maxUploadBytes'>
  /** Runs work on each change, before it is reported. */
  beforeChange(work: () => Promise<void>): void
}

/** What a project is opened with. */
interface ProjectOptions {
  /** Absolute, links resolved. */
  readonly dir: string
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly loading: (<T>(load: () => Promise<T>) => Promise<T>) | undefined
  readonly version: string
  readonly origin: () => string
  readonly signal: AbortSignal
  /** Registers clean-up, which runs at the end in reverse order. */
  readonly atEnd: (end: () => Promise<void>) => void
}

/** Sends events to everybody who listens. */
const createChannel = () => {
  const listeners = new Set<(event: PreviewEvent) => void>()
  return {
    send(event: PreviewEvent) {
      for (const hear of listeners) hear(event)
    },
    listen(hear: (event: PreviewEvent) => void) {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
  }
}

/** The settings of a project, read once between two changes. */
const createSettings = (read: () => Promise<ProjectSettings>) => {
  let settings: Promise<ProjectSettings> | undefined
  return {
    get() {
      settings ??= read().catch((thrown: unknown) => {
        settings = undefined
        throw thrown
      })
      return settings
    },
    renew() {
      settings = undefined
    },
  }
}

/** What follows the changes of a project's files. */
interface ChangeParts {
  /** Reads again what depends on files; resolves to whether the change is one that this page has written. */
  refresh(names: readonly string[]): Promise<boolean>
  compositions(): Promise<CompositionList>
  readonly send: (event: PreviewEvent) => void
  /** Whether a change of this path is no change of a source. */
  skip(path: string): boolean
}

/** Watches the files of a project: at each change, what depends on them is read again before the change is reported. */
const followChanges = async (dir: string, { refresh, compositions, send, skip }: ChangeParts) => {
  let works: (() => Promise<void>)[] = []
  let refreshing: Promise<unknown> = Promise.resolve()
  const onChange = async ({ revision, files, missing }: ProjectChange) => {
    const refreshed = refresh(files)
    refreshing = refreshed.catch(() => {})
    const isShown = await refreshed
    await Promise.all(works.map((work) => work()))
    if (missing) return send({ type: 'missing', revision })
    const list = await compositions().catch(() => ({ compositions: [], unlisted: 0 }))
    send({ type: 'change', revision, files, isShown, ...list })
  }
  const watch = await watchProject(dir, {
    // Work that was under way when a source changed fails; the next change or request starts again.
    onChange: (change) => void onChange(change).catch(() => {}),
    skip,
    onFailure: (unwatched) => send({ type: 'unwatched', unwatched }),
  })
  return {
    /** Resolves once every change until now is known: the system reports a save a moment later. */
    async settle() {
      await watch.check()
      await refreshing
    },
    revision: () => watch.revision(),
    unwatched: () => watch.problem(),
    /** Runs work on each change, before it is reported. */
    before(work: () => Promise<void>) {
      works = [...works, work]
    },
    close: () => watch.close(),
  }
}

/** Opens a project: its files, its renders, and the watch over it. */
export const openProject = async (options: ProjectOptions): Promise<OpenProject> => {
  const { dir, cwd, env, loading, version, origin, signal, atEnd } = options
  // Of a copy of the project too, the config is that of the project.
  const environment = { cwd, env, configFrom: [dir, cwd], ...(loading && { loading }) }
  const context = await openContext(environment)
  const scratch = await inTempFolder((folder) => makeScratchFolder(folder, 'vid-preview-'))
  atEnd(() => rm(scratch, { recursive: true, force: true }))
  const settings = createSettings(() => readProjectSettings(dir, context))
  const channel = createChannel()
  const edits = createEdits({
    dir,
    signal,
    onChange(entry, version) {
      // An edit that is written has changed files before the watch over them says so.
      renew()
      channel.send({ type: 'edit', entry, version })
    },
  })
  const files = openProjectFiles(dir, {
    env,
    signal,
    settings: settings.get,
    copyOf: (file) => {
      const staged = edits.staged(file)
      return staged?.kind === 'copy' ? staged.from : undefined
    },
  })
  atEnd(files.close)
  const { renew, ...captures } = await openCaptures({
    dir,
    cwd,
    env,
    environment,
    context,
    scratch,
    settings: settings.get,
    edits,
    send: channel.send,
    signal,
    atEnd,
  })
  const list = createCompositionList(dir)
  const compositions = () => list(origin(), signal)
  const changes = await followChanges(dir, {
    async refresh(names) {
      settings.renew()
      renew()
      const isShown = await edits.hasWritten(names)
      await Promise.all([files.renew(), edits.refresh()])
      return isShown
    },
    compositions,
    send: channel.send,
    skip: (path) => captures.jobs.writes(path),
  })
  atEnd(changes.close)
  return {
    parts: {
      files,
      settings: settings.get,
      context,
      env,
      version,
      scratch,
      ...captures,
      async exactFrame(body, frameSignal) {
        await changes.settle()
        return captures.exactFrame(body, frameSignal)
      },
      edits,
      signal,
      revision: changes.revision,
      unwatched: changes.unwatched,
      compositions,
      send: channel.send,
      listen: channel.listen,
    },
    beforeChange: changes.before,
  }
}
