import { type OptionTable, renderOptions } from '@vid/command'

/** Every option of `vid doctor`. */
export const doctorOptions = {
  fix: { kind: 'switch', about: 'fix what is safe to fix without root, and print each fix' },
  preset: renderOptions.preset,
  target: renderOptions.target,
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable
