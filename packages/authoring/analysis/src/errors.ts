import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors of sheets, of comparing, and of beats. */
export const analysisErrors = {
  VID_SHEET_ZOOM: (f: { selector: string }) => ({
    message: `--zoom "${f.selector}" is not a selector.`,
    hint: 'Give a CSS selector such as #title or .card, in quotes.',
    fault: 'caller',
  }),
  VID_SHEET_STILLS: (f: { stills: number; max: number }) => ({
    message: `The sheet would have ${f.stills} stills in a row; at most ${f.max} fit.`,
    hint: 'Give a longer --every, fewer times with --at, or --frames.',
    fault: 'caller',
  }),
  VID_DIFF_SIDE: (f: { side: string }) => ({
    message: `"${f.side}" is neither a folder nor a file that can be compared.`,
    hint: 'Give two folders, two videos, a revision such as HEAD and a folder, or two revisions such as v1..v2.',
    fault: 'caller',
  }),
  VID_DIFF_KINDS: (f: { one: string; other: string }) => ({
    message: `"${f.one}" and "${f.other}" cannot be compared: one is a folder, the other a file.`,
    hint: 'Render the folder first, or give two folders or two videos.',
    fault: 'caller',
  }),
  VID_DIFF_REVISION: (f: { revision: string; folder: string; reason: string }) => ({
    message: `The revision "${f.revision}" of ${f.folder} cannot be read: ${f.reason}.`,
    hint: 'Give a folder of a git repository, and a revision that `git rev-parse` knows.',
    fault: 'caller',
  }),
  VID_DIFF_RATE: (f: { before: string; after: string }) => ({
    message: `The two sides have other frame rates: ${f.before} and ${f.after}.`,
    hint: 'Give --fps, so that both are compared at one rate.',
    fault: 'caller',
  }),
  VID_BEATS_UNHEARD: (f: { source: string | undefined; sources: readonly string[] }) => ({
    message: f.source === undefined ? 'The composition has no sound.' : `The composition has no sound "${f.source}".`,
    hint:
      f.sources.length === 0
        ? 'Add an <audio> with data-start to it, or give the path of a sound file.'
        : `Name one of its sounds with --track: ${f.sources.join(', ')}.`,
    fault: 'caller',
  }),
} as const satisfies ErrorTable

/** Makes the errors of this package. */
export const fail = defineErrors(analysisErrors)
