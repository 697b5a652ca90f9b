import type { Frame, FrameFormat } from '@vid/kernel'
import { captureFailure } from '../capture-errors.ts'

/** Captures pictures of one page, which already shows the frame. */
export interface Lane {
  /** Whether the next frame's picture is taken in any case, even if the page has not changed. */
  takesNext(): boolean
  /** Captures a frame; a repeat has the `data` object of the frame before. */
  capture(frame: number): Promise<Frame>
  close(): Promise<void>
}

/** A way to capture that is not bound to a page yet. */
export interface LaneKind {
  readonly name: 'raster' | 'begin-frame' | 'screenshot'
  /** Whether the browser must be started so that frames are drawn only on command. */
  readonly frameControl: boolean
  /** Frame formats for pages with and without alpha, the best first. */
  formats(alpha: boolean): readonly FrameFormat[]
}

/** Measured after x264 at CRF 18 on 1080p: 0.1 dB below quality 100, with 60 % fewer bytes; 90 loses 0.25 dB more. */
const JPEG_QUALITY = 95

/** How a picture is written. */
export interface ImageSettings {
  readonly format: 'png' | 'jpeg'
  readonly quality?: number
  readonly optimizeForSpeed: boolean
}

/** Image settings of a format; fast compression makes larger files with the same pixels. */
export const imageSettings = (format: FrameFormat): ImageSettings =>
  format === 'jpeg'
    ? { format, quality: JPEG_QUALITY, optimizeForSpeed: true }
    : { format: 'png', optimizeForSpeed: true }

/** The first format that the encoder accepts and the lane can produce; pictures that are reduced have no loss. */
export const chooseFormat = (
  kind: LaneKind,
  accepts: readonly FrameFormat[],
  { alpha, isReduced }: { readonly alpha: boolean; readonly isReduced: boolean },
): FrameFormat => {
  const formats = kind.formats(alpha || isReduced)
  const format = accepts.find((accepted) => formats.includes(accepted))
  if (format === undefined) throw captureFailure('VID_FRAME_FORMAT', { accepts, formats, lane: kind.name })
  return format
}

/** Turns images in base64 into frames, and marks those that equal the frame before as repeats. */
export const createImageFrames = (format: FrameFormat) => {
  let base64 = ''
  let data: Uint8Array | undefined
  return {
    /** A repeat of the frame before; undefined when there is none. */
    repeat: (index: number): Frame | undefined => data && { index, format, data, repeat: true },
    take(index: number, image: string): Frame {
      if (data !== undefined && image === base64) return { index, format, data, repeat: true }
      base64 = image
      data = Buffer.from(image, 'base64')
      return { index, format, data }
    },
  }
}

/** Formats of a lane that captures image files: JPEG has no alpha. */
export const imageFormats = (alpha: boolean): readonly FrameFormat[] => (alpha ? ['png'] : ['jpeg', 'png'])
