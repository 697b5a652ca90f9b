import { type OptionTable, outputOptions, renderOptions } from '@vid/command'

/** Where an edit is made, and by whom. */
export const editPlaceOptions = {
  dir: { kind: 'text', rule: 'a path', about: 'folder of the composition', default: '.', path: 'write' },
  as: { kind: 'text', rule: 'a name', about: 'the assistant that edits, for the history' },
  ...outputOptions,
} as const satisfies OptionTable

/** Options of every command that changes something. */
export const editOptions = {
  composition: renderOptions.composition,
  'dry-run': { kind: 'switch', about: 'show what would change, and write nothing' },
  ...editPlaceOptions,
} as const satisfies OptionTable
