import { type CommandRun, stopped } from '@vid/command'
import type { previewOptions } from './options.ts'

/** `vid preview`: serves until a stop signal. */
export const runPreview = async (run: CommandRun<typeof previewOptions, { readonly dir: string }>): Promise<void> => {
  const { cwd, env, signal, options, report, unguarded } = run
  const { createPreview, openInBrowser } = await import('@vid/preview')
  const preview = await createPreview({
    projectDir: run.arguments.dir,
    cwd,
    env,
    loading: unguarded,
    ...(options.port !== undefined && { port: options.port }),
  })
  try {
    signal.throwIfAborted()
    const { url, port, origin } = preview
    report.event({ type: 'preview-start', url, port, origin })
    report.result(`preview: ${url}`)
    report.note('Ctrl-C ends it')
    if (options.open) openInBrowser(url)
    await stopped(signal)
  } finally {
    await preview.close()
  }
}
