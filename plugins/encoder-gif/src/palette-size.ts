/** Entries of a palette, and bytes of one entry: red, green, blue, alpha. */
export const PALETTE = { entries: 256, bytes: 4 } as const
