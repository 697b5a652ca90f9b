import type { ExaminedPage, Frame, ShownFrame } from '@vid/kernel'
import type { OpenComposition, Renderer } from '@vid/render'

/** A page without elements: opening one, to name what differs, takes longer than comparing a short composition. */
const EMPTY_FRAME: ShownFrame = { evaluate: async () => [], picture: async () => new Uint8Array() }
const EMPTY_PAGE: ExaminedPage = {
  show: async () => EMPTY_FRAME,
  showPixels: async () => undefined,
  close: async () => {},
}

const withoutElements = ({ run, ...composition }: OpenComposition): OpenComposition => ({
  ...composition,
  run: { ...run, examine: () => EMPTY_PAGE },
})

/** An open composition whose frames are captured once, for many comparisons with it. */
const keepFrames = ({ run, ...composition }: OpenComposition): OpenComposition => {
  let capturing: Promise<readonly Frame[]> | undefined
  const capture = async (formats: Parameters<typeof run.frames>[2]) => {
    const frames: Frame[] = []
    for await (const frame of run.frames(composition.plan, { start: 0, frames: composition.plan.frames }, formats)) {
      const last = frames.at(-1)
      // The buffer of a frame is used again.
      frames.push(frame.repeat && last ? { ...frame, data: last.data } : { ...frame, data: frame.data.slice() })
    }
    return frames
  }
  return {
    ...composition,
    run: {
      ...run,
      async *frames(_, { start, frames }, formats) {
        capturing ??= capture(formats)
        for (const frame of (await capturing).slice(start, start + frames))
          yield { ...frame, repeat: frame.index > start && frame.repeat === true }
      },
    },
  }
}

/**
 * Runs work with a renderer that opens the composition of a folder once, and any other composition when it is needed, each in one page.
 * Elements are not named.
 */
export const withOpenComposition = async <T>(
  renderer: Renderer,
  settings: Parameters<Renderer['withComposition']>[0],
  signal: AbortSignal,
  work: (renderer: Pick<Renderer, 'withComposition'>) => Promise<T>,
): Promise<T> => {
  const keepOpen = async (open: OpenComposition) => {
    const composition = keepFrames(withoutElements(open))
    const withComposition: Renderer['withComposition'] = async (other, use, options) =>
      other.projectDir === settings.projectDir
        ? { result: await use(composition), warnings: [] }
        : renderer.withComposition(other, (opened) => use(withoutElements(opened)), { ...options, picturesOnly: true })
    return work({ withComposition })
  }
  return (await renderer.withComposition(settings, keepOpen, { signal, picturesOnly: true })).result
}
