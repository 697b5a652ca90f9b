import { isMachineFault, isVidError } from '@vid/protocol'

const CODES: ReadonlySet<string> = new Set(['VID_FFMPEG_PROBE', 'VID_FFMPEG_FAILED'])

/** Whether an error says that a source is missing or broken. Any other could strike a whole source too: nothing may be left out for it. */
export const isSourceFault = (thrown: unknown): boolean =>
  isVidError(thrown) && CODES.has(thrown.code) && !isMachineFault(thrown)
