import type { CommandEntry, CommandType } from './command-type.ts'

/** Every command, by its first word. */
export const commands = {
  init: {
    about: 'make a project of a video to start from',
    load: async () => [(await import('./commands/init/command.ts')).InitCommand],
  },
  import: {
    about: 'make a project from one of another program: vid import hyperframes DIR',
    load: async () => [(await import('./commands/import/command.ts')).ImportCommand],
  },
  render: {
    about: 'render a composition to a video',
    load: async () => [(await import('./commands/render/command.ts')).RenderCommand],
  },
  lint: {
    about: 'find mistakes in a composition, without a browser',
    load: async () => [(await import('./commands/lint/command.ts')).LintCommand],
  },
  preview: {
    about: 'see a composition in a browser as it will be rendered, while you edit it',
    load: async () => [(await import('./commands/preview/command.ts')).PreviewCommand],
  },
  snapshot: {
    about: 'take PNG stills of a composition',
    load: async () => [(await import('./commands/snapshot/command.ts')).SnapshotCommand],
  },
  clean: {
    about: 'remove the finished segments that were kept for a project',
    load: async () => [(await import('./commands/clean/command.ts')).CleanCommand],
  },
  benchmark: {
    about: 'measure how fast a composition renders on this machine',
    load: async () => [(await import('./commands/benchmark/command.ts')).BenchmarkCommand],
  },
  inspect: {
    about: 'show the merged config, the plugins, the plan and every tap',
    load: async () => [(await import('./commands/inspect/command.ts')).InspectCommand],
  },
  doctor: {
    about: 'try out what renders need on this machine',
    load: async () => [(await import('./commands/doctor/command.ts')).DoctorCommand],
  },
  browser: {
    about: 'get a browser where none is embedded: vid browser install',
    load: async () => (await import('./commands/browser/commands.ts')).browserCommands,
  },
  producer: {
    about: 'run a render server',
    load: async () => [(await import('./commands/producer/command.ts')).ProducerCommand],
  },
  lambda: {
    about: 'render on AWS: vid lambda deploy, render, render-batch, progress, destroy',
    load: async () => (await import('./commands/lambda/commands.ts')).lambdaCommands,
  },
  container: {
    about: 'what --docker renders in: vid container build, info, shell',
    load: async () => (await import('./commands/container/commands.ts')).containerCommands,
  },
  cloud: {
    about: 'render on a hosted API, or run one: vid cloud render, get, list, delete, serve',
    load: async () => (await import('./commands/cloud/commands.ts')).cloudCommands,
  },
  auth: {
    about: 'sign in at a hosted API: vid auth login, status, refresh, logout',
    load: async () => (await import('./commands/auth/commands.ts')).authCommands,
  },
  publish: {
    about: 'show a composition on a page of a hosted API',
    load: async () => [(await import('./commands/publish/command.ts')).PublishCommand],
  },
  completion: {
    about: 'complete commands, flags and values in bash, zsh or fish',
    load: async (): Promise<readonly CommandType[]> => [
      (await import('./commands/completion/command.ts')).completionCommand(() => commands),
    ],
  },
  plugin: {
    about: 'make a package for a plugin of your own: vid plugin create <role> <name>',
    load: async () => [(await import('./commands/plugin-create/command.ts')).PluginCreateCommand],
  },
} satisfies Readonly<Record<string, CommandEntry>>

/** The first word of a command. */
export type CommandName = keyof typeof commands

/** Whether a word is the first of a command. */
export const isCommand = (word: string | undefined): word is CommandName =>
  word !== undefined && Object.hasOwn(commands, word)
