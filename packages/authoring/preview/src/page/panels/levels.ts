/** Levels of problems and findings, as they are shown. */
export const LEVELS = { error: 'Error', warning: 'Warning', note: 'Note' } as const
