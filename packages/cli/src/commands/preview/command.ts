import { defineCommand } from '@vid/command'
import { previewOptions } from './options.ts'

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
  run: async (run) => (await import('./run.ts')).runPreview(run),
})
