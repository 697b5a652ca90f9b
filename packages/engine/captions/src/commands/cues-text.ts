/** A number of cues, as text. */
export const cuesText = (count: number): string => (count === 1 ? '1 cue' : `${count} cues`)
