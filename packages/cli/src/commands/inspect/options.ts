import { type OptionTable, renderOptions } from '@vid/command'

/** Every option of `vid inspect`: those of a render, and what is shown. */
export const inspectOptions = {
  ...renderOptions,
  plan: { kind: 'switch', about: 'plan the render, --no-plan to open no browser' },
  short: { kind: 'switch', about: 'only what this render sets, and its size, length and format' },
} as const satisfies OptionTable
