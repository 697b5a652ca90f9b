import { Transform, type TransformCallback } from 'node:stream'
import { fail } from '../errors.ts'

/** Seconds after which a client may try again: slow uploads are cut off by then. */
const RETRY_SECONDS = 30

/** Disk space for what clients send to this process, all of it together. */
export const createSpace = (maxBytes: number) => {
  let used = 0
  const left = () => Math.max(0, maxBytes - used)
  const full = () => fail('VID_CLOUD_SPACE_FULL', { retryAfterSeconds: RETRY_SECONDS })
  return {
    left,
    full,
    /** Passes a stream on while there is space for it; `release` gives all of it back. */
    counted() {
      let taken = 0
      const stream = new Transform({
        transform(chunk: Buffer, _encoding, done: TransformCallback) {
          if (chunk.length > left()) return done(full())
          used += chunk.length
          taken += chunk.length
          return done(null, chunk)
        },
      })
      return {
        stream,
        release() {
          used -= taken
          taken = 0
        },
      }
    },
  }
}
