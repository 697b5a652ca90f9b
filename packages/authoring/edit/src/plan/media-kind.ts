import { extname } from 'node:path'

/** What an inserted element shows. */
export type InsertKind = 'video' | 'audio' | 'image' | 'composition' | 'text'

/** Endings of file names by what an element makes of them. */
const ENDINGS: Readonly<Record<Exclude<InsertKind, 'text'>, readonly string[]>> = {
  video: ['.mp4', '.m4v', '.mov', '.webm', '.mkv', '.avi', '.ogv', '.mpg', '.mpeg'],
  audio: ['.mp3', '.wav', '.m4a', '.aac', '.ogg', '.oga', '.opus', '.flac', '.aif', '.aiff'],
  image: ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif', '.svg', '.bmp', '.apng'],
  composition: ['.html', '.htm'],
}

/** What an element would show of a file, by its name; undefined for one of another kind. */
export const kindOfFile = (name: string): Exclude<InsertKind, 'text'> | undefined => {
  const ending = extname(name).toLowerCase()
  return (['video', 'audio', 'image', 'composition'] as const).find((kind) => ENDINGS[kind].includes(ending))
}
