// What the rules of HyperFrames correspond to here.

/** The codes of HyperFrames for each rule of vid check. */
export const COUNTERPARTS = {}

/** Codes that are about how a project is laid out for its editor, and say nothing of the film. */
export const IGNORED = []
