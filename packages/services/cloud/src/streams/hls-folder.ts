import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { INDEX_PLAYLIST } from '@vid/protocol'
import { isPlaylist } from '@vid/s3'
import { publishedType } from '@vid/server'

/** Names of the files that players get besides playlists; files that are being written are none. */
export const mediaIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => publishedType(name) !== undefined && !isPlaylist(name))

/** The texts of the playlists, by name. */
export const playlistsIn = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const names = (await readdir(folder)).filter((name) => publishedType(name) !== undefined && isPlaylist(name))
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
  )
}

/** A playlist of a finished folder, as a player expects it that has seen it grow. */
export const grownPlaylist = (text: string): string =>
  text.replace('#EXT-X-PLAYLIST-TYPE:VOD\n', '#EXT-X-PLAYLIST-TYPE:EVENT\n')

const linesOf = async (folder: string, name: string): Promise<string[]> =>
  (await readFile(join(folder, name), 'utf8')).split('\n')

/** The media segment of a playlist that is shown at a time, and when it begins; the last one after the end. */
const segmentAt = (lines: readonly string[], seconds: number) => {
  let start = 0
  let length = 0
  let segment = { name: '', start }
  for (const line of lines) {
    const [, extent] = /^#EXTINF:([\d.]+),/.exec(line) ?? []
    if (extent !== undefined) length = Number(extent)
    if (line === '' || line.startsWith('#')) continue
    if (start > seconds) break
    segment = { name: line, start }
    start += length
  }
  return segment
}

/**
 * Writes the part of a video that is shown at a time to one file, in its largest size; resolves to the seconds from the
 * start of that file.
 */
export const copyPartAt = async (
  folder: string,
  seconds: number,
  path: string,
  signal: AbortSignal,
): Promise<number> => {
  // The largest size is the first one, after its attributes.
  const index = await linesOf(folder, INDEX_PLAYLIST)
  const playlist = index[index.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF:')) + 1] ?? ''
  const lines = await linesOf(folder, playlist)
  const init = lines.map((line) => /^#EXT-X-MAP:URI="(.+)"$/.exec(line)?.[1]).find((name) => name !== undefined)
  const { name, start } = segmentAt(lines, seconds)
  const read = async function* () {
    for (const file of [init ?? '', name]) yield* createReadStream(join(folder, file))
  }
  await pipeline(read, createWriteStream(path), { signal })
  return seconds - start
}
