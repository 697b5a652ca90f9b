import { basename, dirname } from 'node:path'
import { newToken } from './token.ts'

interface Stream {
  /** Absolute folder of its request. */
  readonly requestFolder: string
  /** Absolute folder of its playlists and parts. */
  readonly folder: string
  expiresMs: number
}

/**
 * Creates the registry of videos that are played while they are rendered, by token. Players send no credential: who has
 * the address may play the video, until `ttlMs` after the end of its render.
 */
export const createStreams = (ttlMs: number) => {
  const byToken = new Map<string, Stream>()
  const of = (requestFolder: string) => [...byToken].filter(([, stream]) => stream.requestFolder === requestFolder)
  return {
    /** Opens the video of a playlist; returns the path of its address. */
    open(requestFolder: string, playlist: string): string {
      const token = newToken()
      byToken.set(token, { requestFolder, folder: dirname(playlist), expiresMs: Number.POSITIVE_INFINITY })
      return `/streams/${token}/${basename(playlist)}`
    },
    /** The folder of a video; undefined if the token is unknown or expired. */
    folderOf(token: string): string | undefined {
      const stream = byToken.get(token)
      return stream && stream.expiresMs > Date.now() ? stream.folder : undefined
    },
    /** Limits the time of the videos of a request that has ended. */
    expire(requestFolder: string): void {
      for (const [, stream] of of(requestFolder)) stream.expiresMs = Date.now() + ttlMs
    },
    remove(requestFolder: string): void {
      for (const [token] of of(requestFolder)) byToken.delete(token)
    },
  }
}

/** The registry of videos that are played while they are rendered. */
export type Streams = ReturnType<typeof createStreams>
