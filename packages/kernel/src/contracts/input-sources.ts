/** The composition's text, as a page was given it, among the inputs of a page. */
export const COMPOSITION_SOURCE = 'vid:composition'

/** The build of the ffmpeg that decodes source videos, among the inputs of a page. */
export const FFMPEG_SOURCE = 'vid:ffmpeg'
