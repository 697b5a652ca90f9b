import { frameBytes } from '@vid/kernel'
import { partsOf, type RowBand, withoutRows } from '@vid/runtime'
import type { RawFormat } from './raw-pictures.ts'

/** Pictures that are described by the rows in which they differ from the one before. */
export interface PictureBuffers {
  /** Turns to the next picture; the bytes of `parts`, which are those rows, must be filled. */
  next(rows: readonly RowBand[]): { readonly data: Uint8Array; readonly parts: readonly Uint8Array[] }
}

/**
 * Two pixel buffers, used alternately: a frame's pixels stay until the frame after the next is requested. A new buffer
 * for each frame would take hundreds of megabytes before the garbage collector freed them.
 */
export const createPictureBuffers = (
  format: RawFormat,
  { width, height }: { readonly width: number; readonly height: number },
): PictureBuffers => {
  const layout = { width, height, planar: format !== 'rgba', alpha: format !== 'yuv420p' }
  const bytes = frameBytes(format, width, height) ?? 0
  let current: Uint8Array | undefined
  let other: Uint8Array | undefined
  /** The rows in which `other` differs from `current`. */
  let stale: readonly RowBand[] = []
  return {
    next(rows) {
      const data = other ?? Buffer.allocUnsafeSlow(bytes)
      const missing = withoutRows(stale, rows)
      const from = current ? partsOf(current, missing, layout) : []
      for (const [index, part] of partsOf(data, missing, layout).entries()) part.set(from[index] ?? [])
      other = current
      current = data
      stale = rows
      return { data, parts: partsOf(data, rows, layout) }
    },
  }
}
