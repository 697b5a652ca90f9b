import { createRemoteAccess, openCacheDir, openRemoteAssets } from '@vid/assets'
import { withRootSize } from '@vid/core'
import { type RenderRequest, readFrameRate } from '@vid/kernel'
import { openProjectSite, type ProjectSite, type SiteFonts } from '@vid/preview/site'
import { chooseSize } from '../worker/size.ts'
import type { PlayedComposition } from './publications.ts'

/** How compositions are played, besides what their renders say. */
export interface PlayOptions {
  /** What they may have fetched at most; `declared` if left out. */
  readonly network?: RenderRequest['network'] | undefined
  readonly env?: NodeJS.ProcessEnv | undefined
}

/** Where a played composition is. */
export interface PlayedPlace {
  /** Absolute folder of its unpacked project. */
  readonly folder: string
  /** Name and port under which it is asked for. */
  readonly host: string
  /** Of the page that may show it. */
  readonly pageOrigin: string
}

/** The document in place of a composition that cannot be put together: the page then shows the video. */
const problem = () => '<!doctype html><meta charset="utf-8"><title>It cannot be played</title>'

/** The site of a composition that a page plays as its render was asked for. */
export const openPlayedProject = (
  { request }: PlayedComposition,
  { folder, host, pageOrigin }: PlayedPlace,
  { network = 'declared', env = process.env }: PlayOptions,
  { fonts, signal }: { readonly fonts: SiteFonts; readonly signal: AbortSignal },
): Promise<ProjectSite> => {
  const { fps, variables, composition: entry } = request
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
      // Anew each time: what was fetched is kept on the disk, and not in memory for as long as the page is there.
      remote: async () => openRemoteAssets({ cacheDir: await openCacheDir(env), privateHosts: [], access, signal }),
    },
    preparation: async () => ({
      fonts,
      signal,
      settings: { fps: readFrameRate(fps) ?? 30, values: variables },
      shape(html, composition) {
        const { layout } = composition.file === entry ? chooseSize(composition, request) : {}
        return (layout && withRootSize(html, layout)) ?? html
      },
    }),
  })
}
