import { createReadStream } from 'node:fs'

/** Bytes of a file that are read at once. */
const CHUNK_BYTES = 2 ** 18

/** A signal that aborts when nothing moves for a while; `touch` restarts that time. */
export const createWatch = (outer: AbortSignal, stalled: () => unknown) => {
  const watch = new AbortController()
  let timer: NodeJS.Timeout | undefined
  return {
    signal: AbortSignal.any([outer, watch.signal]),
    touch(ms: number) {
      clearTimeout(timer)
      timer = setTimeout(() => watch.abort(stalled()), ms)
    },
    end: () => clearTimeout(timer),
  }
}

/** The bytes of a file, or of a part of it (`end` not included); `taken` is called with each chunk once it is taken. */
export async function* fileBytes(
  path: string,
  onTaken: (bytes: number) => void,
  range: { readonly start: number; readonly end: number } = { start: 0, end: Number.POSITIVE_INFINITY },
): AsyncGenerator<Buffer> {
  const { start } = range
  const stream = createReadStream(path, { start, end: range.end - 1, highWaterMark: CHUNK_BYTES })
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    yield chunk
    onTaken(chunk.length)
  }
}
