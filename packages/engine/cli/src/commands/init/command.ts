import { defineCommand } from '@vid/command'
import { initOptions } from './options.ts'

/** `vid init [name]`. */
export const initCommand = defineCommand({
  path: 'init',
  summary: 'Create a video project from a template.',
  details:
    'Creates a folder with a composition, its media, a package.json, a config, a README, and an AGENTS.md with rules for coding assistants. Without a name it uses the current folder, which must be empty. Needs no network, and never replaces a file.',
  arguments: [{ name: 'name', isOptional: true, path: 'write' }],
  options: initOptions,
  examples: [
    ['A title on a dark ground', 'vid init intro'],
    ['Name and role of a speaker, transparent', 'vid init speaker --template lower-third'],
    ['List the templates', 'vid init --list'],
  ],
  run: async (run) => (await import('./run.ts')).runInit(run),
  tool: { title: 'Create a project from a template', effect: 'changes', without: ['list'], lists: ['files'] },
  text: async (result, view) => (await import('./init-text.ts')).initText(result, view),
})
