/** Largest text of a composition: its entry, a file that is read as a part of it, or all of them in one text. */
export const MAX_TEXT = 32 * 1024 * 1024
