import { checkFlags, type RawFlags, throwErrors } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { createReport } from '../../report.ts'
import { stopped } from '../../stops.ts'
import { previewFlags } from './flags.ts'

/** `vid preview`: serves until a stop signal. */
export const runPreview = async (dir: string, rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { cwd, env, signal } = context
  const { values: flags, errors } = checkFlags(previewFlags, rawFlags)
  throwErrors(errors)
  const report = createReport({ ...context, json: flags.json === true, quiet: false })
  const { createPreview, openInBrowser } = await import('@vid/preview')
  const preview = await createPreview({
    projectDir: dir,
    cwd,
    env,
    loading: context.unguarded,
    ...(flags.port !== undefined && { port: flags.port }),
  })
  try {
    signal.throwIfAborted()
    const { url, port, origin } = preview
    report.event({ type: 'preview-start', url, port, origin })
    report.result(`preview: ${url}`)
    report.note('Ctrl-C ends it')
    if (flags.open) openInBrowser(url)
    await stopped(signal)
  } finally {
    await preview.close()
  }
}
