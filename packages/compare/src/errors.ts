import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of sheets and of comparing films. */
export const compareErrors = {
  VID_SHEET_ZOOM: (f: { selector: string }) => ({
    message: `--zoom "${f.selector}" is no selector.`,
    hint: 'Give a CSS selector such as #title or .card, in quotes.',
    fault: 'caller',
  }),
  VID_SHEET_STILLS: (f: { stills: number; max: number }) => ({
    message: `The sheet would have ${f.stills} stills in a row of the film; at most ${f.max} fit.`,
    hint: 'Give a longer --every, fewer times with --at, or --frames.',
    fault: 'caller',
  }),
} as const satisfies ErrorTable

export const fail = defineErrors(compareErrors)
