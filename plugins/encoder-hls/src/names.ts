/** File name of the multivariant playlist, which players open. */
export const INDEX = 'index.m3u8'

/** Begins the names of the files of the sound. */
export const SOUND = 'audio'

/** Names of the files of a rendition, or of the sound. */
export const filesOf = (name: string) => ({
  playlist: `${name}.m3u8`,
  keys: `${name}-keys.m3u8`,
  init: `${name}-init.mp4`,
  /** A media segment, counted from 0. */
  segment: (index: number) => `${name}-${String(index).padStart(5, '0')}.m4s`,
})
