import { type CommandRun, type OptionTable, renderOptions } from '@vid/command'

/** The options of `vid render`: those that other commands share, and its own. */
export const renderCommandOptions = {
  ...renderOptions,
  serve: { kind: 'switch', about: 'print the address of a page that plays the video while it is rendered, as hls' },
  'serve-port': { kind: 'integer', min: 0, max: 65535, about: 'port of that page; 0 for any free port', default: '0' },
} as const satisfies OptionTable

/** What `vid render` runs with. */
export type RenderCommandRun = CommandRun<typeof renderCommandOptions, { readonly dir: string }>
