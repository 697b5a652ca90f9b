import type { Frame, FrameFormat } from '@vid/kernel'
import { captureFailure } from '../capture-errors.ts'

/** How pictures are taken from one page; the page already shows the frame when it is asked. */
export interface Lane {
  /** Takes the picture of the frame; a repeat carries the `data` object of the picture before. */
  capture(frame: number): Promise<Frame>
  close(): Promise<void>
}

/** A way to capture, before it is bound to a page. */
export interface LaneKind {
  readonly name: 'raster' | 'begin-frame' | 'screenshot'
  /** Whether the browser must be started so that frames are drawn only on command. */
  readonly frameControl: boolean
  /** What it gives for pages with and without alpha. */
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

/** Image settings of both lanes; fast compression makes bigger files and the same pixels. */
export const imageSettings = (format: FrameFormat): ImageSettings =>
  format === 'jpeg'
    ? { format, quality: JPEG_QUALITY, optimizeForSpeed: true }
    : { format: 'png', optimizeForSpeed: true }

/** The first format that the encoder accepts and the lane gives. */
export const chooseFormat = (
  kind: LaneKind,
  accepts: readonly FrameFormat[],
  alpha: boolean,
): FrameFormat => {
  const formats = kind.formats(alpha)
  const format = accepts.find((each) => formats.includes(each))
  if (format === undefined) throw captureFailure('VID_FRAME_FORMAT', { accepts, formats, lane: kind.name })
  return format
}

/** Makes frames of images in base64, marking one as a repeat when it equals the one before. */
export const createImageFrames = (format: FrameFormat) => {
  let base64 = ''
  let data: Uint8Array | undefined
  return {
    /** The picture before once more; undefined when there is none. */
    repeat: (index: number): Frame | undefined => data && { index, format, data, repeat: true },
    take(index: number, image: string): Frame {
      if (data !== undefined && image === base64) return { index, format, data, repeat: true }
      base64 = image
      data = Buffer.from(image, 'base64')
      return { index, format, data }
    },
  }
}

/** Formats of a lane that takes image files: JPEG carries no alpha. */
export const imageFormats = (alpha: boolean): readonly FrameFormat[] => (alpha ? ['png'] : ['jpeg', 'png'])
