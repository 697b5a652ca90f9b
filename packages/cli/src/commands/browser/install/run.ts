import { findEmbeddedBrowser, installBrowser } from '@vid/browser'
import { countedBytes, countedProgress } from '../../../counted-progress.ts'
import { checkFlags, type RawFlags, throwErrors } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { createReport } from '../../../report.ts'
import { bytesText } from '../../../text.ts'
import { isLive, liveProgress, silentProgress } from '../../render/progress.ts'
import { installFlags } from './flags.ts'

/** `vid browser install`: downloads the browser that captures, unless one is embedded. */
export const runBrowserInstall = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { env, signal } = context
  const { values: flags, errors } = checkFlags(installFlags, rawFlags)
  throwErrors(errors)
  const { json = false, quiet = false, force = false } = flags
  const report = createReport({ ...context, json, quiet })
  const embedded = force ? undefined : await findEmbeddedBrowser({ env, signal })
  if (embedded) {
    const { version, path } = embedded
    report.event({ type: 'browser-install', version, path, fresh: false, url: null })
    report.note(`the headless shell ${version} is embedded; nothing is downloaded`)
    report.result(path)
    return
  }
  const progress = !json && !quiet && isLive(context) ? liveProgress(context.stderr) : silentProgress
  const count = countedProgress(progress, countedBytes('downloading'))
  const onProgress = (bytes: number, total: number | undefined) =>
    total === undefined ? progress.show(`downloading ${bytesText(bytes)}`) : count(bytes, total)
  const { version, path, fresh, url } = await installBrowser({ env, signal, onProgress }).finally(progress.clear)
  report.event({ type: 'browser-install', version, path, fresh, url })
  report.note(`the headless shell ${version} ${fresh ? `was downloaded from ${url}` : 'is there already'}`)
  report.result(path)
}
