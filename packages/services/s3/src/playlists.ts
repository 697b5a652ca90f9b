import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { INCOMPLETE_TAG, INDEX_PLAYLIST } from '@vid/protocol'

/** Whether a file is a playlist, which names other files. */
export const isPlaylist = (name: string): boolean => name.endsWith('.m3u8')

/** The files of a folder in the order in which they may appear: those that name no others, playlists, what players open. */
export const byRank = <T extends { readonly name: string }>(files: readonly T[]): readonly (readonly T[])[] => {
  const rankOf = ({ name }: T) => (name === INDEX_PLAYLIST ? 2 : isPlaylist(name) ? 1 : 0)
  return [0, 1, 2].map((rank) => files.filter((file) => rankOf(file) === rank)).filter(({ length }) => length > 0)
}

/** A playlist as it was read. */
export interface Playlist {
  readonly name: string
  readonly text: string
}

/** The names of the files that a playlist plays; not those of other playlists. */
export const namesIn = (text: string): string[] => {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const attributes = [...text.matchAll(/^#EXT-X-[A-Z-]+:.*?URI="([^"]+)"/gm)].map(([, uri = '']) => uri)
  return [...lines, ...attributes].map((uri) => posix.normalize(uri)).filter((name) => !isPlaylist(name))
}

/** Reads the playlists of a folder that grows: what they name is finished, and other files may not be. */
export const readPlaylists = async (folder: string, signal: AbortSignal): Promise<readonly Playlist[]> => {
  const names = (await readdir(folder)).filter(isPlaylist).sort()
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(folder, name), { encoding: 'utf8', signal }) })),
  )
}

const END = '#EXT-X-ENDLIST\n'

/**
 * A playlist that no longer grows, so that players stop at its end. One that ended before its video says so; one that
 * lists no media segments is left alone.
 */
export const endedPlaylist = (text: string): string =>
  text.includes('#EXT-X-TARGETDURATION:') && !text.endsWith(END) ? `${text}${INCOMPLETE_TAG}\n${END}` : text
