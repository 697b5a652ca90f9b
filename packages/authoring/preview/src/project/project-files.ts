import type { RemoteAssets } from '@vid/assets'
import type { SourceFiles } from '@vid/kernel'
import { findProjectFile } from '@vid/system'
import { fail } from '../errors.ts'
import { openProjectSources, type ProjectSources } from './project-sources.ts'
import type { ProjectSettings } from './settings.ts'

/** The files of a project, and remote ones as a render of it may fetch them. */
export interface PreviewFiles {
  /** Absolute. */
  readonly dir: string
  /** Absolute path of a file by its path in the project; VID_PREVIEW_FILE for any other. */
  find(path: string): Promise<string>
  /** Absolute path of a media source as a page names it; undefined without one. */
  source(src: string): Promise<string | undefined>
  /** The same, in the shape that the capture knows. */
  readonly sources: SourceFiles
  /** Remote files under the network rules of the config. */
  remote(): Promise<RemoteAssets>
  /** Forgets what could not be found or fetched, and the config. */
  renew(): Promise<void>
  /** Waits until nothing of it is open. */
  close(): Promise<void>
}

/** Opens the files of a project. */
export const openProjectFiles = (
  dir: string,
  {
    env,
    signal,
    settings,
    copyOf,
  }: {
    readonly env: NodeJS.ProcessEnv
    readonly signal: AbortSignal
    readonly settings: () => Promise<ProjectSettings>
    /** Absolute path of the file that is staged in place of one of the project; undefined for what the disk has. */
    readonly copyOf: (path: string) => string | undefined
  },
): PreviewFiles => {
  let pendingSources: Promise<ProjectSources> | undefined
  const open = () => {
    pendingSources ??= settings().then((current) => openProjectSources(dir, current, { env, signal }))
    const currentSources = pendingSources
    currentSources.catch(() => {
      if (pendingSources === currentSources) pendingSources = undefined
    })
    return currentSources
  }
  const close = async () => {
    const currentSources = pendingSources
    pendingSources = undefined
    await currentSources?.then(
      (sources) => sources.close(),
      () => {},
    )
  }
  const source = async (src: string) => copyOf(src) ?? (await open()).files.file(src)
  return {
    dir,
    async find(path) {
      const file = await findProjectFile(dir, path)
      if (file === undefined) throw fail('VID_PREVIEW_FILE', { file: path })
      return file
    },
    source,
    sources: { file: source },
    remote: async () => (await open()).remote,
    renew: close,
    close,
  }
}
