import type { AnyCommand, CommandLists } from '@vid/command'

/** A first word of the command line; its code is imported only when it is used. */
export interface CommandEntry {
  readonly about: string
  load(lists: CommandLists): Promise<readonly AnyCommand[]>
}

/** The commands that come with this package, by their first words. */
export const coreCommands: Readonly<Record<string, CommandEntry>> = {
  init: {
    about: 'create a video project from a template',
    load: async () => [(await import('./commands/init/command.ts')).initCommand],
  },
  import: {
    about: 'import a project of another program: vid import hyperframes DIR',
    load: async () => [(await import('./commands/import/command.ts')).importCommand],
  },
  render: {
    about: 'render a composition to a video',
    load: async () => [(await import('./commands/render/command.ts')).renderCommand],
  },
  table: {
    about: 'write a table with the variables of a composition, for vid render --batch',
    load: async () => [(await import('./commands/table/command.ts')).tableCommand],
  },
  lint: {
    about: 'find mistakes in a composition, without a browser',
    load: async () => [(await import('./commands/lint/command.ts')).lintCommand],
  },
  preview: {
    about: 'preview a composition in a browser while you edit it',
    load: async () => [(await import('./commands/preview.ts')).previewCommand],
  },
  snapshot: {
    about: 'take PNG stills of a composition',
    load: async () => [(await import('./commands/snapshot/command.ts')).snapshotCommand],
  },
  clean: {
    about: 'remove the cached segments of a project',
    load: async () => [(await import('./commands/clean.ts')).cleanCommand],
  },
  benchmark: {
    about: 'measure how fast a composition renders on this machine',
    load: async () => [(await import('./commands/benchmark/command.ts')).benchmarkCommand],
  },
  inspect: {
    about: 'show the merged config, the plugins, the plan and every tap',
    load: async () => [(await import('./commands/inspect/command.ts')).inspectCommand],
  },
  doctor: {
    about: 'check that everything is installed',
    load: async () => [(await import('./commands/doctor/command.ts')).doctorCommand],
  },
  browser: {
    about: 'download a browser for systems without an embedded one: vid browser install',
    load: async () => [(await import('./commands/browser/install.ts')).browserInstallCommand],
  },
  completion: {
    about: 'complete commands, flags and values in bash, zsh or fish',
    load: async (lists) => [(await import('./commands/completion/command.ts')).completionCommand(lists)],
  },
  plugin: {
    about: 'create a package for your own plugin: vid plugin create <role> <name>',
    load: async () => [(await import('./commands/plugin-create/command.ts')).pluginCreateCommand],
  },
}
