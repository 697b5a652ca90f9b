import { INDEX_PLAYLIST } from '@vid/protocol'
import { isId } from '../ids.ts'
import { isSignedWith, signatureOf } from '../storage/signature.ts'
import type { StreamId } from './stream-key.ts'

/** Path of the videos on the server. */
export const STREAMS_PATH = '/v3/streams'

/** A signed address of a video. */
export interface StreamAddress extends StreamId {
  /** When it expires if the render has ended by then, in milliseconds since 1970. */
  readonly expiresMs: number
}

const partsOf = ({ renderId, attempt, expiresMs }: StreamAddress) => [
  renderId,
  String(attempt),
  String(Math.floor(expiresMs / 1000)),
]

/** Signs and checks addresses of videos; players send no credential, so that who has one may play the video. */
export const createStreamAddresses = (secret: string, publicUrl: () => string) => ({
  /** The address of the playlist that players open; the names in it are beside it. */
  addressOf(address: StreamAddress): string {
    const parts = partsOf(address)
    const signature = signatureOf(secret, parts).toString('base64url')
    return `${publicUrl()}${STREAMS_PATH}/${[...parts, signature].join('.')}/${INDEX_PLAYLIST}`
  },
  /** Reads the part of an address that is signed; undefined if that was changed. */
  check(token: string): StreamAddress | undefined {
    const [renderId = '', attempt = '', seconds = '', signature = ''] = token.split('.')
    const isSigned = isSignedWith(secret, [renderId, attempt, seconds], signature)
    if (!isSigned || !isId(renderId)) return undefined
    return { renderId, attempt: Number(attempt), expiresMs: Number(seconds) * 1000 }
  },
})

/** Signs and checks addresses of videos that are played while they are rendered. */
export type StreamAddresses = ReturnType<typeof createStreamAddresses>
