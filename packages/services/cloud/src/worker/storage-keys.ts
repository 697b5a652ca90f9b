/** Prefix of the files that are removed when a render ends. */
export const workPrefix = (renderId: string): string => `renders/${renderId}/`

/** Prefix of the results of a render. */
export const resultPrefix = (renderId: string): string => `results/${renderId}/`

/** Prefix of finished segments, which later renders of an account may reuse. */
export const SEGMENTS = 'segments/'
