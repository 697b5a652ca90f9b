/** The date that every page sees at the start of the composition: 2025-01-01T00:00:00Z. */
export const EPOCH_MS = 1735689600000

/**
 * The time that every clock of a page shows at the start of the composition, in milliseconds. As in browsers it is
 * never 0, which scripts take for a time that they have not noted yet; no picture shows so small a part.
 */
export const ORIGIN_MS = 2 ** -10

/**
 * The time that every clock of a page shows before its first frame, in milliseconds. As in browsers it is before that of the first
 * frame: loops of libraries draw nothing in a frame in which no time has passed.
 */
export const LOADING_MS = ORIGIN_MS / 2

/** The time that scripts see at a time of the composition, both in milliseconds. */
export const seenAt = (timeMs: number): number => timeMs + ORIGIN_MS

/** The date that scripts see at a time of the composition, both in milliseconds. */
export const dateAt = (timeMs: number): number => EPOCH_MS + Math.floor(seenAt(timeMs))
