import type { OptionTable } from './option.ts'
import { renderOptions } from './render-options.ts'

/** Reads a number between two others. */
export const numberFrom =
  (min: number, max: number) =>
  (text: unknown): number | undefined => {
    const value = /^\d{1,5}(\.\d{1,3})?$/.test(String(text)) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  }

/** Options of the commands that print results. */
export const outputOptions = {
  json: { kind: 'switch', about: 'events on stdout, one JSON object a line' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable
