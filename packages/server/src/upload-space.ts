import { Transform, type TransformCallback } from 'node:stream'

/** Space that all uploads to a process share: on the disk for projects, in memory for bodies. */
export interface UploadSpace {
  left(): number
  /** The error for a client whose upload does not fit. */
  full(): Error
  /** Takes space; throws `full()` if there is too little. */
  take(bytes: number): void
  /** Takes space that is needed in any case. */
  use(bytes: number): void
  /** Gives space back. */
  free(bytes: number): void
  /** Passes a stream on while there is space for it; `release` gives all of it back. */
  meter(): { readonly stream: Transform; release(): void }
}

/** Counts the bytes that uploads hold, up to `maxBytes`. */
export const createUploadSpace = (maxBytes: number, full: () => Error): UploadSpace => {
  let used = 0
  const left = () => Math.max(0, maxBytes - used)
  const take = (bytes: number): void => {
    if (bytes > left()) throw full()
    used += bytes
  }
  return {
    left,
    full,
    take,
    use(bytes) {
      used += bytes
    },
    free(bytes) {
      used -= bytes
    },
    meter() {
      let bytes = 0
      const stream = new Transform({
        transform(chunk: Buffer, _encoding, done: TransformCallback) {
          try {
            take(chunk.length)
            bytes += chunk.length
            done(null, chunk)
          } catch (thrown) {
            done(thrown as Error)
          }
        },
      })
      return {
        stream,
        release() {
          used -= bytes
          bytes = 0
        },
      }
    },
  }
}
