import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors of looking at films. */
export const filmErrors = {
  VID_BEATS_UNHEARD: (f: { source: string | undefined; sources: readonly string[] }) => ({
    message: f.source === undefined ? 'The film has no sound.' : `The film has no sound "${f.source}".`,
    hint:
      f.sources.length === 0
        ? 'Add an <audio> with data-start to it, or give the path of a sound file.'
        : `Name one of its sounds with --track: ${f.sources.join(', ')}.`,
    fault: 'caller',
  }),
} satisfies ErrorTable

/** Makes the errors of this package. */
export const fail = defineErrors(filmErrors)
