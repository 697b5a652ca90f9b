import { basename, dirname, join } from 'node:path'
import { openCacheDir } from '@vid/assets'
import { evictFrames, findBrowser, installBrowser, removeAbandonedProfiles, removeOldBrowsers } from '@vid/browser'
import { type PluginOf, removeAbandonedWork } from '@vid/kernel'
import { isVidError } from '@vid/protocol'

/** Browser errors that a download fixes. */
const ABSENT: ReadonlySet<string> = new Set(['VID_BROWSER_NOT_FOUND', 'VID_BROWSER_DOWNLOADED_DAMAGED'])

/** Repairs the browser of an engine: unpacks a damaged embedded one again, downloads a missing one. */
export const mendBrowser = async (
  { options: { executablePath, browser } }: Pick<PluginOf<'capture'>, 'options'>,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<string | undefined> => {
  if (browser === 'firefox') return undefined
  const path = typeof executablePath === 'string' ? { path: executablePath } : {}
  const located = await findBrowser({ ...path, env, signal }).catch((thrown: unknown) => {
    if (isVidError(thrown) && ABSENT.has(thrown.code)) return undefined
    throw thrown
  })
  if (located === undefined) {
    const { version, path: program } = await installBrowser({ env, signal })
    return `downloaded the headless shell ${version} to ${dirname(program)}`
  }
  return (await located.repair?.()) ? `unpacked the browser again to ${dirname(located.path)}` : undefined
}

/** Removes leftovers of ended renders from the folders for temporary files. */
export const mendScratch = async (): Promise<string> => {
  await Promise.all([removeAbandonedWork(), removeAbandonedProfiles()])
  return 'removed leftovers of ended renders'
}

/** Frees space in the cache folder: removes unused files that can be recreated. */
export const mendCache = async (env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> => {
  const cacheDir = await openCacheDir(env)
  const current = await findBrowser({ env, signal }).catch(() => undefined)
  const browsers = await removeOldBrowsers(cacheDir, current && basename(dirname(current.path)))
  await evictFrames(join(cacheDir, 'frames'), 0, () => false).catch(() => {})
  const more = browsers === 0 ? '' : ` and ${browsers} browsers of other versions`
  return `removed frames that no render has used for an hour${more}`
}
