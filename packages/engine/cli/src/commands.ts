import { type AnyCommand, type CommandLists, commandsWith } from '@vid/command'

/** A first word of the command line; its code is imported only when it is used. */
export interface CommandEntry {
  readonly about: string
  load(lists: CommandLists): Promise<readonly AnyCommand[]>
}

/** A command of this package, with the schemas of its events. */
const withEvents = async (load: Promise<AnyCommand>): Promise<readonly AnyCommand[]> => {
  const [command, { cliEvents }] = await Promise.all([load, import('./commands/events.ts')])
  return commandsWith(cliEvents, [command])
}

/** The commands that come with this package, by their first words. */
export const coreCommands: Readonly<Record<string, CommandEntry>> = {
  init: {
    about: 'create a video project from a template',
    load: () => withEvents(import('./commands/init/command.ts').then(({ initCommand }) => initCommand)),
  },
  import: {
    about: 'import a project of another program: vid import hyperframes DIR',
    load: () => withEvents(import('./commands/import/command.ts').then(({ importCommand }) => importCommand)),
  },
  render: {
    about: 'render a composition to a video',
    load: () => withEvents(import('./commands/render/command.ts').then(({ renderCommand }) => renderCommand)),
  },
  table: {
    about: 'write a table with the variables of a composition, for vid render --batch',
    load: () => withEvents(import('./commands/table/command.ts').then(({ tableCommand }) => tableCommand)),
  },
  lint: {
    about: 'find mistakes in a composition, without a browser',
    load: () => withEvents(import('./commands/lint/command.ts').then(({ lintCommand }) => lintCommand)),
  },
  preview: {
    about: 'preview a composition in a browser while you edit it',
    load: () => withEvents(import('./commands/preview.ts').then(({ previewCommand }) => previewCommand)),
  },
  snapshot: {
    about: 'take PNG stills of a composition',
    load: () => withEvents(import('./commands/snapshot/command.ts').then(({ snapshotCommand }) => snapshotCommand)),
  },
  clean: {
    about: 'remove the cached segments of a project',
    load: () => withEvents(import('./commands/clean.ts').then(({ cleanCommand }) => cleanCommand)),
  },
  benchmark: {
    about: 'measure how fast a composition renders on this machine',
    load: () => withEvents(import('./commands/benchmark/command.ts').then(({ benchmarkCommand }) => benchmarkCommand)),
  },
  inspect: {
    about: 'show the merged config, the plugins, the plan and every tap',
    load: () => withEvents(import('./commands/inspect/command.ts').then(({ inspectCommand }) => inspectCommand)),
  },
  doctor: {
    about: 'check that everything is installed',
    load: () => withEvents(import('./commands/doctor/command.ts').then(({ doctorCommand }) => doctorCommand)),
  },
  browser: {
    about: 'download a browser for systems without an embedded one: vid browser install',
    load: () =>
      withEvents(import('./commands/browser/install.ts').then(({ browserInstallCommand }) => browserInstallCommand)),
  },
  completion: {
    about: 'complete commands, flags and values in bash, zsh or fish',
    load: (lists) =>
      withEvents(import('./commands/completion/command.ts').then(({ completionCommand }) => completionCommand(lists))),
  },
  plugin: {
    about: 'create a package for your own plugin: vid plugin create <role> <name>',
    load: () =>
      withEvents(import('./commands/plugin-create/command.ts').then(({ pluginCreateCommand }) => pluginCreateCommand)),
  },
}
