import { findEmbeddedBrowser, installBrowser } from '@vid/browser'
import { bytesText, type CommandRun, countedBytes, countedProgress, silentProgress } from '@vid/command'
import type { installOptions } from './options.ts'

/** `vid browser install`: downloads the browser that captures, unless one is embedded. */
export const runBrowserInstall = async (run: CommandRun<typeof installOptions>) => {
  const { env, signal } = run
  const embedded = run.options.force ? undefined : await findEmbeddedBrowser({ env, signal })
  if (embedded) return { version: embedded.version, path: embedded.path, fresh: false, url: null }
  const progress = run.progress.isLive ? run.progress : silentProgress
  const count = countedProgress(progress, countedBytes('downloading'))
  const onProgress = (bytes: number, total: number | undefined) =>
    total === undefined ? progress.show(`downloading ${bytesText(bytes)}`) : count(bytes, total)
  const { version, path, fresh, url } = await installBrowser({ env, signal, onProgress }).finally(progress.clear)
  return { version, path, fresh, url }
}
