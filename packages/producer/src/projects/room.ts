import { Transform, type TransformCallback } from 'node:stream'
import { fail } from '../errors.ts'

/** Seconds after which a client may try again: renders end, and slow uploads are cut off. */
const RETRY_SECONDS = 30

/** Space for what clients send, all of it together: on the disk for projects, in memory for bodies. */
export const createRoom = (maxBytes: number) => {
  let used = 0
  const left = () => Math.max(0, maxBytes - used)
  const full = () => fail('VID_PRODUCER_UPLOADS_FULL', { retryAfterSeconds: RETRY_SECONDS })
  const take = (bytes: number): void => {
    if (bytes > left()) throw full()
    used += bytes
  }
  return {
    left,
    full,
    /** Takes space; refused when there is not enough. */
    take,
    /** Takes space that is needed in any case. */
    use(bytes: number): void {
      used += bytes
    },
    /** Gives space back. */
    free(bytes: number): void {
      used -= bytes
    },
    /** Passes a stream on while there is space for it; `release` gives all of it back. */
    counted() {
      let taken = 0
      const stream = new Transform({
        transform(chunk: Buffer, _encoding, done: TransformCallback) {
          try {
            take(chunk.length)
            taken += chunk.length
            done(null, chunk)
          } catch (thrown) {
            done(thrown as Error)
          }
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

/** Space for what clients send. */
export type Room = ReturnType<typeof createRoom>
