/** Everything of a render that is removed when it has ended. */
export const workPrefix = (renderId: string): string => `renders/${renderId}/`

/** Everything that a render has made. */
export const resultPrefix = (renderId: string): string => `results/${renderId}/`

/** Folders of the storage that belong to renders, each below a folder of its own. */
export const RENDER_FOLDERS = ['renders/', 'results/'] as const

/** Finished segments that later renders of an account may use again. */
export const SEGMENTS = 'segments/'
