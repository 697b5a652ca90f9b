import type { ExaminedPage, Frame, ShownFrame } from '@vid/kernel'
import type { OpenFilm, Renderer } from '@vid/render'

/** A page without elements: opening one, to name what differs, takes longer than comparing a short film. */
const EMPTY_FRAME: ShownFrame = { evaluate: async () => [], picture: async () => new Uint8Array() }
const EMPTY_PAGE: ExaminedPage = {
  show: async () => EMPTY_FRAME,
  showPixels: async () => undefined,
  close: async () => {},
}

const withoutElements = ({ run, ...film }: OpenFilm): OpenFilm => ({
  ...film,
  run: { ...run, examine: () => EMPTY_PAGE },
})

/** An open film whose frames are captured once, for many comparisons with it. */
const keepFrames = ({ run, ...film }: OpenFilm): OpenFilm => {
  let capturing: Promise<readonly Frame[]> | undefined
  const capture = async (formats: Parameters<typeof run.frames>[2]) => {
    const frames: Frame[] = []
    for await (const frame of run.frames(film.plan, { start: 0, frames: film.plan.frames }, formats)) {
      const last = frames.at(-1)
      // The buffer of a frame is used again.
      frames.push(frame.repeat && last ? { ...frame, data: last.data } : { ...frame, data: frame.data.slice() })
    }
    return frames
  }
  return {
    ...film,
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
 * Runs work with a renderer that opens the film of a folder once, and any other film when it is needed, each in one page.
 * Elements are not named.
 */
export const withKeptFilm = async <T>(
  renderer: Renderer,
  settings: Parameters<Renderer['withFilm']>[0],
  signal: AbortSignal,
  work: (renderer: Pick<Renderer, 'withFilm'>) => Promise<T>,
): Promise<T> => {
  const keepOpen = async (open: OpenFilm) => {
    const film = keepFrames(withoutElements(open))
    const withFilm: Renderer['withFilm'] = async (other, use, options) =>
      other.projectDir === settings.projectDir
        ? { result: await use(film), warnings: [] }
        : renderer.withFilm(other, (opened) => use(withoutElements(opened)), { ...options, picturesOnly: true })
    return work({ withFilm })
  }
  return (await renderer.withFilm(settings, keepOpen, { signal, picturesOnly: true })).result
}
