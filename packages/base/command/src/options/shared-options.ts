import { readShape, SHAPE_RULE } from '@vid/protocol'
import type { OptionTable } from './option.ts'
import { renderOptions } from './render-options.ts'
import { settingOption } from './setting-option.ts'

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

/** The one shape in which a composition is looked at. */
export const shapeOption = settingOption('shapes', {
  rule: SHAPE_RULE,
  read: readShape,
  about: 'shape that the composition is laid out for',
})
