import { createRemoteAccess, openCacheDir, openRemoteAssets } from '@vid/assets'
import type { Reading } from '@vid/kernel'
import type { RenderRequest } from '@vid/protocol'
import { openProjectSite, type ProjectSite, type SiteFonts } from '@vid/site'
import { playedDocumentTask } from './played-document.ts'
import type { PlayedComposition } from './publications.ts'

/** How compositions are played, beyond the settings of their renders. */
export interface PlayOptions {
  /** Network access of compositions; `declared` if left out. */
  readonly network?: RenderRequest['network'] | undefined
  readonly env?: NodeJS.ProcessEnv | undefined
}

/** The location of a played composition. */
export interface PlayedPlace {
  /** Absolute folder of its unpacked project. */
  readonly folder: string
  /** Host name and port of its origin. */
  readonly host: string
  /** Origin of the page that may show it. */
  readonly pageOrigin: string
}

/** The document shown if a composition cannot be loaded; the page then shows the video. */
const problem = () => '<!doctype html><meta charset="utf-8"><title>It cannot be played</title>'

/** What the sites of all compositions share. */
interface SharedParts {
  readonly fonts: SiteFonts
  readonly reading: Reading
  readonly signal: AbortSignal
}

/** Opens the site of a composition, which plays it with the settings of its render. */
export const openPlayedProject = (
  { request }: PlayedComposition,
  { folder, host, pageOrigin }: PlayedPlace,
  { network = 'declared', env = process.env }: PlayOptions,
  { fonts, reading, signal }: SharedParts,
): Promise<ProjectSite> => {
  const { variables } = request
  const access = createRemoteAccess({
    projectDir: folder,
    variables,
    signal,
    reading,
    ...(network !== 'public' && { network }),
  })
  return openProjectSite({
    fonts,
    problem,
    reading,
    signal,
    place: { host, pageOrigin, isPublic: true },
    files: {
      dir: folder,
      // Opened for each use: downloads are cached on disk, not in memory for as long as the page exists.
      remote: async () => openRemoteAssets({ cacheDir: await openCacheDir(env), privateHosts: [], access, signal }),
    },
    prepare: (document) => reading(playedDocumentTask, { ...document, entry: document.file, folder, request }, signal),
  })
}
