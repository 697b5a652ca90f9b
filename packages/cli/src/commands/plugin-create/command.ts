import { defineCommand, renderOptions } from '@vid/command'

const { json, quiet } = renderOptions

/** `vid plugin create <role> <name>`. */
export const pluginCreateCommand = defineCommand({
  path: 'plugin create',
  summary: 'Make a package for a plugin of your own.',
  details:
    'Roles: capture, encoder, store, target, delivery, plugin (taps on any hook), preset and command. Makes the folder vid-<role>-<name> with source, tests, a config and an example; it works anywhere, after "npm install" in it.',
  arguments: [{ name: 'role' }, { name: 'name' }],
  options: { json, quiet },
  examples: [
    ['An encoder for a format "apng"', 'vid plugin create encoder apng'],
    ['Under a scope of your own', 'vid plugin create delivery @acme/archive'],
  ],
  run: async (run) => (await import('./create.ts')).runPluginCreate(run),
  text: async (result, view) => (await import('./create.ts')).createdText(result, view),
})
