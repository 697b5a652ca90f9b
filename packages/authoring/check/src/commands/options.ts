import { compositionOptions, stateOption } from '@vid/analysis/options'
import { type OptionTable, renderOptions, shapeOption } from '@vid/command'
import { SAFE_PATTERN } from '../rules/safe-areas.ts'

const NAMES = /^[a-z][a-z0-9-]*(?:\s*,\s*[a-z][a-z0-9-]*)*$/

/** Every option of `vid check`. */
export const checkOptions = {
  rule: { kind: 'text', rule: 'names such as contrast,text-cut', pattern: NAMES, about: 'only these rules' },
  skip: { kind: 'text', rule: 'names such as text-small', pattern: NAMES, about: 'without these rules' },
  safe: {
    kind: 'text',
    rule: 'youtube-shorts, tiktok, reels, title, or x,y,width,height',
    pattern: SAFE_PATTERN,
    about: 'the area that text must stay in',
  },
  loudness: {
    kind: 'text',
    rule: 'LUFS such as -14',
    pattern: /^-?\d+(?:\.\d+)?$/,
    about: 'integrated loudness that the video must have',
  },
  'variables-extremes': {
    kind: 'switch',
    about: 'also with the shortest, longest and outermost values of each variable, and each option',
  },
  batch: {
    kind: 'text',
    rule: 'a path',
    about: 'table or JSON with rows of a batch: also with each of them',
    path: 'read',
  },
  baseline: { kind: 'text', rule: 'a path', about: 'leave out the findings of this file', path: 'read' },
  'write-baseline': { kind: 'text', rule: 'a path', about: 'write all findings as the old ones', path: 'write' },
  sarif: {
    kind: 'text',
    rule: 'a path',
    about: 'write the findings as SARIF, which code hosts show',
    path: 'write',
  },
  sheet: { kind: 'text', rule: 'a path', about: 'draw each finding in its picture, into a PNG', path: 'write' },
  width: { kind: 'integer', min: 320, max: 8192, about: 'pixels of the sheet from left to right', default: '1568' },
  watch: { kind: 'switch', about: 'check again after each save, and report what is new and what is fixed' },
  force: renderOptions.force,
  ...stateOption,
  ...compositionOptions,
  shape: { ...shapeOption, about: 'only in this shape, instead of each that the composition declares' },
} as const satisfies OptionTable
