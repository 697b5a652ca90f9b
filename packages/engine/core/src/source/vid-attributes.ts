import { SOUND_ATTRIBUTES } from '@vid/runtime'

/** Longest texts of attributes, in characters. */
const NUMBER = 100
const TIME = 1000
const TEXT = 10_000
const LONG_TEXT = 2 ** 19

const soundTexts = SOUND_ATTRIBUTES.map((name) => [name, TEXT] as const)

/** Every attribute that means something to vid, and how many characters it may have. */
export const VID_ATTRIBUTES: ReadonlyMap<string, number> = new Map([
  ['data-root', TEXT],
  ['data-composition-id', TEXT],
  ['data-composition-src', TEXT],
  ['data-composition-variables', LONG_TEXT],
  ['data-variable-values', LONG_TEXT],
  ['data-width', NUMBER],
  ['data-height', NUMBER],
  ['data-shape', TEXT],
  ['data-shapes', TEXT],
  ['data-start', TIME],
  ['data-duration', NUMBER],
  ['data-end', NUMBER],
  ['data-track-index', NUMBER],
  ['data-layer', NUMBER],
  // Cut, and not refused: the rest of a title does no harm.
  ['data-chapter', LONG_TEXT],
  ['data-media-start', NUMBER],
  ['data-playback-start', NUMBER],
  ['data-playback-rate', NUMBER],
  ['data-volume', LONG_TEXT],
  ...soundTexts,
  ['data-has-audio', TEXT],
  ['data-hidden', TEXT],
  ['data-color-grading', LONG_TEXT],
  ['data-no-timeline', TEXT],
  ['data-refresh-rate', NUMBER],
  ['data-var-text', TEXT],
  ['data-var-src', TEXT],
  ['data-animation-path', TEXT],
])
