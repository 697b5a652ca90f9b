import type { ElementPatch, FrameReport, FrameRequest, PageBox, PlayerComposition } from '@vid/runtime'
import { openPlayerPage, type PageOpening, type PlayerPage } from './player-page.ts'

/** A composition whose frames can be shown in any order. */
export interface CompositionView {
  readonly composition: PlayerComposition
  /** Shows a frame; a page that cannot go back is replayed in another iframe, and the picture stays until that one is ready. */
  show(request: FrameRequest, signal: AbortSignal): Promise<FrameReport>
  /** The first frame at which much is visible; the picture is then that of another frame than the one shown before. */
  findPoster(): Promise<number>
  patch(patches: readonly ElementPatch[]): Promise<void>
  boxes(): Promise<readonly PageBox[]>
  readSource(src: string): Promise<ArrayBuffer | null>
  /** A part of a source's sound as a server has decoded it, by samples; null when none has. */
  readSound(src: string, from: number, count: number): Promise<ArrayBuffer | null>
  close(): void
}

/** Reads a source from the page around a player: a page without its own origin may read less. */
const fetchSource = async (src: string): Promise<ArrayBuffer | null> => {
  if (!/^https?:/i.test(src)) return null
  const response = await fetch(src, { credentials: 'omit' }).catch(() => undefined)
  return response?.ok ? response.arrayBuffer() : null
}

/** Opens a composition; `onReplay` receives how many frames of a replay have been shown, and how many it takes. */
export const openView = async (
  opening: PageOpening,
  onReplay: (done: number, total: number) => void,
): Promise<CompositionView> => {
  let replaying = 0
  const pageOpening: PageOpening = {
    ...opening,
    onEvent(event, detail) {
      if (event === 'replayed') onReplay(Number(detail), replaying)
      opening.onEvent(event, detail)
    },
  }
  let page: PlayerPage = await openPlayerPage(pageOpening)
  const { composition } = page

  const replay = async (request: FrameRequest, signal: AbortSignal): Promise<FrameReport> => {
    onReplay(0, request.frame)
    const controller = new AbortController()
    const stop = () => controller.abort(signal.reason)
    signal.addEventListener('abort', stop)
    const next = await openPlayerPage({
      ...pageOpening,
      signal: AbortSignal.any([opening.signal, controller.signal]),
      size: composition,
    })
    try {
      const report = await next.show(request)
      page.close()
      page = next
      return report
    } catch (thrown) {
      next.close()
      throw thrown
    } finally {
      // The page that is shown outlives the request that opened it.
      signal.removeEventListener('abort', stop)
    }
  }

  return {
    composition,
    show(request, signal) {
      replaying = request.frame
      return page.isBeyond(request.frame) ? replay(request, signal) : page.show(request)
    },
    findPoster: () => page.findPoster(),
    patch: (patches) => page.patch(patches),
    boxes: () => page.boxes(),
    async readSource(src) {
      return (await page.readSource(src)) ?? fetchSource(src)
    },
    readSound: (...part) => page.readSound(...part),
    close: () => page.close(),
  }
}
