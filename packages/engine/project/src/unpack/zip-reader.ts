import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { chunksOf } from '../file-chunks.ts'

/**
 * Reads a zip by its handle. The library's own reader throws where no one can catch it when a zip names a place beyond
 * 2^53, and never reads again.
 */
class HandleReader extends RandomAccessReader {
  readonly #handle: FileHandle
  readonly #bytes: number

  constructor(handle: FileHandle, bytes: number) {
    super()
    this.#handle = handle
    this.#bytes = bytes
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (cause: Error | null) => void,
  ): void {
    const read = async () => {
      if (!(position + length <= this.#bytes)) throw new Error('it names a place beyond its end')
      for (let bytesDone = 0; bytesDone < length; ) {
        const { bytesRead } = await this.#handle.read(
          buffer,
          offset + bytesDone,
          length - bytesDone,
          position + bytesDone,
        )
        if (bytesRead === 0) throw new Error('it became shorter while it was read')
        bytesDone += bytesRead
      }
    }
    const answer = (cause: Error | null) => {
      try {
        callback(cause)
      } catch (thrown) {
        // What the library throws at damaged bytes is its answer.
        callback(thrown as Error)
      }
    }
    read().then(() => answer(null), answer)
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(chunksOf(this.#handle, start, end), { objectMode: false })
  }

  override close(callback: (cause: Error | null) => void): void {
    // Who opened the handle closes it.
    setImmediate(callback, null)
  }
}

/** Reads the end of a zip, where its list of entries is. */
export const openZip = (handle: FileHandle, bytes: number): Promise<ZipFile> =>
  fromRandomAccessReaderPromise(new HandleReader(handle, bytes), bytes, {
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: true,
  })
