import { Transform, type TransformCallback } from 'node:stream'

/** Space shared by all uploads to a process: disk space for projects, memory for bodies. */
export interface UploadSpace {
  left(): number
  /** The error for an upload that does not fit. */
  full(): Error
  /** Reserves space; throws `full()` if there is too little. */
  take(bytes: number): void
  /** Reserves space unconditionally. */
  use(bytes: number): void
  /** Releases space. */
  free(bytes: number): void
  /** A stream that reserves space as bytes pass; `release` releases all of it. */
  meter(): { readonly stream: Transform; release(): void }
}

/** Counts the bytes of uploads, up to `maxBytes`. */
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
