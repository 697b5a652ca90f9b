/** Name of the composition's text, as a page was served it, among the inputs of a page. */
export const COMPOSITION_SOURCE = 'vid:composition'

/** Name of the build of the ffmpeg that decodes source videos, among the inputs of a page. */
export const FFMPEG_SOURCE = 'vid:ffmpeg'
