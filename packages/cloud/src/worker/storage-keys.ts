/** Everything of a render that is removed when it has ended. */
export const workPrefix = (renderId: string): string => `renders/${renderId}/`

/** Everything that a render has made. */
export const resultPrefix = (renderId: string): string => `results/${renderId}/`

/** Finished segments that later renders of an account may use again. */
export const SEGMENTS = 'segments/'
