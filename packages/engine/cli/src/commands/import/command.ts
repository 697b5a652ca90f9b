import { defineCommand } from '@vid/command'
import { importOptions } from './options.ts'

/** `vid import hyperframes DIR [name]`. */
export const importCommand = defineCommand({
  path: 'import',
  summary: 'Import a project of another program.',
  details:
    'Copies the project into a new folder, renames what only has another name in vid, and lists the remaining work with file, line and hint. Never changes the project that it copies. Without a name, the new folder is named after the old one, with "-vid" at its end.',
  arguments: [{ name: 'from' }, { name: 'dir' }, { name: 'name', isOptional: true }],
  options: importOptions,
  examples: [
    ['A project of HyperFrames, into "old-video-vid"', 'vid import hyperframes ../old-video'],
    ['Into a folder of your choice', 'vid import hyperframes ../old-video intro'],
  ],
  run: async (run) => (await import('./run.ts')).runImport(run),
})
