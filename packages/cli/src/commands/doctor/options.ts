import { type OptionTable, renderOptions } from '@vid/command'

/** Every option of `vid doctor`. */
export const doctorOptions = {
  fix: { kind: 'switch', about: 'mend what can be mended safely without root, and say what was done' },
  preset: renderOptions.preset,
  target: renderOptions.target,
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable
