import { type OptionTable, renderOptions } from '@vid/command'
import { compositionOptions, stateOption } from '../options.ts'

/** Every option of `vid diff`. */
export const diffOptions = {
  sheet: {
    kind: 'text',
    rule: 'a path',
    about: 'draw before, after and difference of each interval into a PNG',
    path: 'write',
  },
  width: { kind: 'integer', min: 320, max: 8192, about: 'pixels of the sheet from left to right', default: '1568' },
  'exit-code': { kind: 'switch', about: 'end with 1 where something differs, as git has it' },
  force: renderOptions.force,
  ...stateOption,
  ...compositionOptions,
} as const satisfies OptionTable
