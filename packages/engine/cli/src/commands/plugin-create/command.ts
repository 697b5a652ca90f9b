import { defineCommand, renderOptions } from '@vid/command'

const { json, quiet } = renderOptions

/** `vid plugin create <role> <name>`. */
export const pluginCreateCommand = defineCommand({
  path: 'plugin create',
  summary: 'Create a package for a plugin.',
  details:
    'Roles: capture, encoder, store, target, delivery, plugin (taps on any hook), check, transcriber, speaker, preset and command. Creates the folder vid-<role>-<name> with source, tests, a config and an example; run "npm install" in it.',
  arguments: [{ name: 'role' }, { name: 'name' }],
  options: { json, quiet },
  examples: [
    ['An encoder for a format "apng"', 'vid plugin create encoder apng'],
    ['Under your scope', 'vid plugin create delivery @acme/archive'],
  ],
  run: async (run) => (await import('./create.ts')).runPluginCreate(run),
  text: async (result, view) => (await import('./create.ts')).createdText(result, view),
})
