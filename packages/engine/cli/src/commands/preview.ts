import { defineCommand, type OptionTable, size, stopped } from '@vid/command'

const previewOptions = {
  port: {
    kind: 'integer',
    min: 1,
    max: 65_534,
    about: 'port of the page, instead of the first free one from 3002 on',
    default: '3002',
  },
  'max-upload': size('largest file that is dropped onto the page', '1k', '2G'),
  open: { kind: 'switch', about: 'open the page in the browser of this machine' },
  json: { kind: 'switch', about: 'one JSON object on stdout when the preview can be opened' },
} as const satisfies OptionTable

/** `vid preview [dir]`. */
export const previewCommand = defineCommand({
  path: 'preview',
  summary: 'Preview a composition in a browser as it will be rendered, while you edit it.',
  details:
    'Serves a page that plays the compositions of a folder (default: the current one), and prints its address. The address holds a token: only the browser that opens it can use the preview, and only on this machine. Ends at Ctrl-C.',
  arguments: [{ name: 'dir', default: '.' }],
  options: previewOptions,
  examples: [
    ['The current folder', 'vid preview'],
    ['Another folder, and the browser opens by itself', 'vid preview intro --open'],
  ],
  async run(run) {
    const { cwd, env, signal, options, report, unguarded } = run
    const { createPreview, openInBrowser } = await import('@vid/preview')
    const preview = await createPreview({
      projectDir: run.arguments.dir,
      cwd,
      env,
      loading: unguarded,
      ...(options.port !== undefined && { port: options.port }),
      ...(options['max-upload'] !== undefined && { maxUploadBytes: options['max-upload'] as unknown as number }),
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
  },
})
