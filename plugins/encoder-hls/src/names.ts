/** Begins the names of the files of the sound. */
export const SOUND = 'audio'

/** File name of the chapters. */
export const CHAPTERS = 'chapters.json'

/** Files of the pictures for scrubbing. */
export const STORYBOARD = {
  times: 'storyboard.vtt',
  /** A sheet of pictures, counted from 0. */
  sheet: (index: number | '%d') => `storyboard-${index}.jpg`,
} as const

const partOf = (name: string, index: number) => `${name}-${String(index).padStart(5, '0')}`

/** Names of the files of captions, whose languages are counted from 0. */
export const captionFilesOf = (language: number) => ({
  playlist: `captions-${language}.m3u8`,
  /** The texts of a media segment, counted from 0. */
  segment: (index: number) => `${partOf(`captions-${language}`, index)}.vtt`,
})

/** Names of the files of a rendition, or of the sound. */
export const renditionFiles = (name: string) => ({
  playlist: `${name}.m3u8`,
  keys: `${name}-keys.m3u8`,
  init: `${name}-init.mp4`,
  /** A media segment, counted from 0. */
  segment: (index: number) => `${partOf(name, index)}.m4s`,
})
