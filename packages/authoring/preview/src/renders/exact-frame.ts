import { createPool, type ExaminedPage, retryMachineFaults, type Shareable } from '@vid/kernel'
import { createSequence, defined } from '@vid/protocol'
import { type CompositionSettings, type OpenComposition, type Renderer, stillsAt } from '@vid/render'
import { untilAborted } from '@vid/system'
import type { FrameBody } from '../api.ts'

/** Open compositions: the one as it is staged, and the one before. */
const MAX_PAGES = 2

/** Milliseconds that a page waits for the next frame; then its browser waits as long. */
const IDLE_MS = 15_000

/** A composition that is open for pictures of its frames. */
interface FramePage extends Shareable {
  picture(frame: number): Promise<Uint8Array>
}

const takePicture = async ({ run, plan }: OpenComposition, page: ExaminedPage, frame: number): Promise<Uint8Array> => {
  try {
    const [still] = stillsAt(`${frame}f`, plan)
    const picture = await (await page.show(still?.frame ?? 0)).picture()
    // What is reported with the frame stops a strict capture too.
    run.signal.throwIfAborted()
    return picture
  } catch (thrown) {
    throw run.refusal() ?? thrown
  }
}

/** Opens a composition, as a render does, until it is closed. */
const openFramePage = (
  renderer: Pick<Renderer, 'withComposition'>,
  settings: CompositionSettings,
  signal: AbortSignal,
): Promise<FramePage> =>
  new Promise((resolve, reject) => {
    let end = () => {}
    const ended = new Promise<void>((settle) => {
      end = settle
    })
    const work = async (composition: OpenComposition) => {
      const { run, plan } = composition
      const page = run.examine(plan)
      run.signal.addEventListener('abort', end, { once: true })
      resolve({
        picture: (frame) => takePicture(composition, page, frame),
        async close() {
          end()
          await working
        },
      })
      await ended
      await page.close()
    }
    const working = renderer
      .withComposition(settings, work, { signal, picturesOnly: true })
      .then(() => undefined, reject)
  })

/** Takes exact frames of compositions, which stay open for the next one. */
export interface ExactFrames {
  /** The PNG of one frame as a render captures it; one frame is taken at a time. */
  take(projectDir: string, body: FrameBody, signal: AbortSignal): Promise<Uint8Array>
  /** Opens compositions again, since their files have changed. */
  renew(): void
  close(): Promise<void>
}

/** Opens the exact frames of a preview; close them before the renderer. */
export const createExactFrames = (renderer: Pick<Renderer, 'withComposition'>): ExactFrames => {
  const pages = createPool({ max: 1, maxIdle: MAX_PAGES, maxIdleMs: IDLE_MS })
  const inTurn = createSequence()
  let version = 0
  const takeOnce = async (settings: CompositionSettings, frame: number): Promise<Uint8Array> => {
    const key = JSON.stringify([version, settings])
    const page = await pages.acquire(key, (signal) => openFramePage(renderer, settings, signal))
    try {
      const picture = await page.value.picture(frame)
      page.release()
      return picture
    } catch (thrown) {
      await page.discard()
      throw thrown
    }
  }
  return {
    take(projectDir, { entry, frame, fps, variables, alpha }, signal) {
      const settings = { projectDir, entry, ...defined({ fps, variables, alpha }) }
      const retries = { signal, onRetry: () => {} }
      const work = inTurn(async () => {
        signal.throwIfAborted()
        return retryMachineFaults(() => takeOnce(settings, frame), retries)
      })
      // Who leaves asks for the next frame mostly, which the same page shows.
      return untilAborted(work, signal)
    },
    renew() {
      version += 1
    },
    close: pages.close,
  }
}
