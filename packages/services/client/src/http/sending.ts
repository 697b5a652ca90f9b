import { createReadStream } from 'node:fs'

/** Bytes of a file read at once. */
const CHUNK_BYTES = 2 ** 18

/** A signal that aborts after a time without progress; `touch` restarts the time. */
export const createStallWatch = (outer: AbortSignal, stalled: () => unknown) => {
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

/** Yields the bytes of a file, or of a part of it (`end` excluded); calls `onTaken` once a chunk is consumed. */
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
