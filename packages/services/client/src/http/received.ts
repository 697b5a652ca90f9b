import type { Readable } from 'node:stream'

/** Bytes buffered before they are read. */
const MAX_WAITING_BYTES = 2 ** 20

/** Yields the chunks of a body as they arrive; if it breaks off, everything received comes before the error. */
export const received = (body: Readable): AsyncIterable<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  let end: { readonly failure?: unknown } | undefined
  let wake = () => {}
  const finish = (how: { readonly failure?: unknown }) => {
    end ??= how
    wake()
  }
  body.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= MAX_WAITING_BYTES) body.pause()
    wake()
  })
  body.once('end', () => finish({}))
  body.on('error', (failure) => finish({ failure }))
  body.once('close', () => finish({ failure: new Error('it was closed') }))
  return (async function* () {
    try {
      for (;;) {
        const chunk = chunks.shift()
        if (chunk !== undefined) {
          bytes -= chunk.length
          if (body.isPaused() && bytes < MAX_WAITING_BYTES / 2) body.resume()
          yield chunk
        } else if (end === undefined)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        else if ('failure' in end) throw end.failure
        else return
      }
    } finally {
      body.destroy()
    }
  })()
}
