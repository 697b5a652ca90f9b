import { defineCommand } from '@vid/command'
import { setupOptions } from './setup-options.ts'

/** `vid assistant setup [dir]`. */
export const setupCommand = defineCommand({
  path: 'assistant setup',
  summary: 'Set up coding assistants for a project: their MCP server, and skills of this version.',
  details:
    'Shows what it will write, asks, and writes that alone. What a person wrote stays: other settings and comments byte for byte, another entry "vid", and skills that were changed. A second run changes nothing; after an update, it brings the skills of the new version.',
  arguments: [{ name: 'dir', default: '.' }],
  options: setupOptions,
  examples: [
    ['The assistants of the current folder', 'vid assistant setup'],
    ['What would be written', 'vid assistant setup --dry-run'],
    ['Two of them, from a script', 'vid assistant setup --for cursor,vscode --no-confirm'],
  ],
  run: async (run) => (await import('./run-setup.ts')).runSetup(run),
  text: async (result) => (await import('../setup/setup-text.ts')).setupText(result),
})
