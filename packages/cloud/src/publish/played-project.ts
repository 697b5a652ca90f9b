import { createRemoteAccess, openCacheDir, openRemoteAssets } from '@vid/assets'
import { shapedText, withRootSize } from '@vid/core'
import { type RenderRequest, readFrameRate } from '@vid/kernel'
import { openProjectSite, type ProjectSite, type SiteFonts } from '@vid/preview/site'
import { chooseSize } from '../worker/size.ts'
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

/** Opens the site of a composition, which plays it with the settings of its render. */
export const openPlayedProject = (
  { request }: PlayedComposition,
  { folder, host, pageOrigin }: PlayedPlace,
  { network = 'declared', env = process.env }: PlayOptions,
  { fonts, signal }: { readonly fonts: SiteFonts; readonly signal: AbortSignal },
): Promise<ProjectSite> => {
  const { fps, variables, composition: entry, shape } = request
  const access = createRemoteAccess({
    projectDir: folder,
    variables,
    ...(network !== 'public' && { network }),
  })
  return openProjectSite({
    fonts,
    problem,
    place: { host, pageOrigin, isPublic: true },
    files: {
      dir: folder,
      // Opened for each use: downloads are cached on disk, not in memory for as long as the page exists.
      remote: async () => openRemoteAssets({ cacheDir: await openCacheDir(env), privateHosts: [], access, signal }),
    },
    preparation: async () => ({
      fonts,
      signal,
      settings: { fps: readFrameRate(fps) ?? 30, values: variables },
      shape(html, composition) {
        const { file } = composition
        if (file === entry && shape !== undefined) return shapedText(html, { file, shape })
        const { layout } = file === entry ? chooseSize(composition, request) : {}
        return (layout && withRootSize(html, layout)) ?? html
      },
    }),
  })
}
