import { type ImageFrames, NO_DECODER, openImage } from './image-frames.ts'

/** One image file that may be animated. */
export interface ImageSource {
  readonly opening: Promise<ImageFrames | undefined>
  /** Undefined while it is being read; null when it is not animated, or cannot be read. */
  frames?: ImageFrames | null
  isUnread?: boolean
}

/** True if the browser can pause animated images itself. */
export const isPausable = CSS.supports('selector(:animated-image)')

/** The image files of a page, by address. */
export const createImageSources = () => {
  const sources = new Map<string, ImageSource>()
  /** Addresses of which only the first frame is shown. */
  const addresses = new Set<string>()

  const sourceOf = (address: string): ImageSource => {
    const existing = sources.get(address)
    if (existing) return existing
    const source: ImageSource = {
      // It may fail for a file of another site that no script may read.
      opening: openImage(address).catch((cause: unknown) => {
        source.isUnread = isPausable ? !addresses.has(address) : cause === NO_DECODER
        return undefined
      }),
    }
    sources.set(address, source)
    void source.opening.then((frames) => {
      source.frames = frames ?? null
    })
    return source
  }

  return {
    sourceOf,
    /** Records that only the first frame of a file is shown, if it has more. */
    hold: (address: string) => void addresses.add(address),
    /** The address of the first frame to use in a style sheet; undefined when the file can stay as it is. */
    async stillOf(address: string): Promise<string | undefined> {
      addresses.add(address)
      const frames = await sourceOf(address).opening
      return frames && (frames.isDrawing || !isPausable) ? (await frames.picture(0)).address : undefined
    },
    /** Addresses that are being read. */
    opening: (): string[] => [...sources].filter(([, { frames }]) => frames === undefined).map(([address]) => address),
    /** Addresses of animated images of which only the first frame is shown. */
    stills: (): string[] =>
      [...sources]
        .filter(([address, { frames, isUnread }]) => isUnread || frames?.isStill || (frames && addresses.has(address)))
        .map(([address]) => address),
  }
}
