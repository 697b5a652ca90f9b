import { byRank, findObject, type Playlist, putIfUnchanged, putObject, type S3Bucket } from '@vid/s3'
import { runPool } from '@vid/system'

const AT_ONCE = 8

/** Players ask for a playlist that grows again and again. */
const CACHE = { cacheControl: 'no-cache' } as const

/** The playlists of a video in the bucket, with the tags that the next writes require. */
export interface StreamPlaylists {
  /** Reads the tags of playlists that were neither read nor written before. */
  prepare(names: readonly string[]): Promise<void>
  /**
   * Replaces those that differ, the one that players open last. A playlist that another call has replaced meanwhile is
   * read again, and left to that call unless `isCurrent`.
   */
  write(playlists: Readonly<Record<string, string>>, isCurrent: () => Promise<boolean>): Promise<void>
}

const toList = (playlists: Readonly<Record<string, string>>): readonly Playlist[] =>
  Object.entries(playlists).map(([name, text]) => ({ name, text }))

/** Opens the playlists below a key. */
export const openStreamPlaylists = (place: S3Bucket, outputKey: string): StreamPlaylists => {
  const { signal = new AbortController().signal } = place
  const tags = new Map<string, string | undefined>()
  const texts = new Map<string, string>()
  const keyOf = (name: string) => `${outputKey}/${name}`
  const readTag = async (name: string) => void tags.set(name, (await findObject(place, keyOf(name)))?.tag)
  const writeOne = async ({ name, text }: Playlist, isCurrent: () => Promise<boolean>): Promise<void> => {
    for (;;) {
      const tag = await putIfUnchanged(place, keyOf(name), text, tags.get(name), CACHE)
      if (tag !== undefined) {
        tags.set(name, tag)
        texts.set(name, text)
        return
      }
      // In this order: who closes the video replaces the record before any playlist.
      await readTag(name)
      if (!(await isCurrent())) return
    }
  }
  return {
    async prepare(names) {
      for (const name of names) if (!tags.has(name)) await readTag(name)
    },
    async write(playlists, isCurrent) {
      const changed = toList(playlists).filter(({ name, text }) => texts.get(name) !== text)
      for (const rank of byRank(changed))
        await runPool(rank, AT_ONCE, signal, (playlist) => writeOne(playlist, isCurrent))
    },
  }
}

/** Writes playlists of a video that is closed, so that no other call writes them. */
export const writeLastPlaylists = async (
  place: S3Bucket,
  outputKey: string,
  playlists: Readonly<Record<string, string>>,
): Promise<void> => {
  const { signal = new AbortController().signal } = place
  for (const rank of byRank(toList(playlists)))
    await runPool(rank, AT_ONCE, signal, ({ name, text }) => putObject(place, `${outputKey}/${name}`, text, CACHE))
}
