/** Why a file is no composition of its own, rather than one with a mistake: it is another page, or a part of one. */
export const NO_COMPOSITION: ReadonlySet<string | undefined> = new Set([
  'VID_COMPOSITION_NO_ROOT',
  'VID_COMPOSITION_NO_SIZE',
  'VID_ENTRY_EMPTY',
  'VID_ENTRY_NOT_HTML',
])
