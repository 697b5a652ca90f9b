import type { VidError } from '@vid/protocol'
import { captureFailure } from '../capture-errors.ts'
import type { Blocked } from '../capture-phrases.ts'
import { withDeadline } from '../driver/deadline.ts'
import type { PageLink } from '../driver/page-link.ts'

/** How long an idle page may take to answer. */
const ANSWER_MS = 1_000

/** Whether a page answers at all. */
export const answers = (work: Promise<unknown>): Promise<boolean> =>
  withDeadline(work, ANSWER_MS, async () => undefined).then(
    () => true,
    () => false,
  )

/** The cause when a page does not answer though its scripts are idle: a promise, or drawing. */
export type IdleCause = 'VID_PAGE_STUCK' | 'VID_FRAME_NOT_DRAWN'

/** The page's activity, for an error message; a function if it is only known once the page is late. */
export type Doing = string | (() => string)

/** Text for an error message. */
export const describeDoing = (doing: Doing): string => (typeof doing === 'string' ? doing : doing())

interface Stall {
  readonly seconds: number
  readonly doing: string
  readonly idle: IdleCause
  /** Name of the GPU that the browser draws on; left out for the processor. */
  readonly gpu?: string | undefined
}

/** The error of a page that answers, though what was asked of it did not end. */
const explainIdle = ({ seconds, doing, idle, gpu }: Stall): VidError => {
  const error = captureFailure(idle, { seconds, doing })
  // The driver of a GPU may hang: the processor then tells whether the page can be drawn.
  if (idle !== 'VID_FRAME_NOT_DRAWN' || gpu === undefined) return error
  return captureFailure('VID_BROWSER_GPU_LOST', { gpu, reason: error.message.replace(/\.$/, '') })
}

/** Distinguishes a script that does not return, with its line, from work of the browser and from a page that waits. */
export const explainStall = async (page: PageLink, stall: Stall): Promise<VidError> => {
  const { seconds, doing } = stall
  if (await answers(page.send('Runtime.evaluate', { expression: '1' }))) return page.late(explainIdle(stall))
  let forget = () => {}
  const paused = new Promise<Blocked>((resolve) => {
    forget = page.on('Debugger.paused', ({ callFrames }) => {
      const frame = callFrames.find(({ location }) => page.scripts.has(location.scriptId))
      const source = page.scripts.get(frame?.location.scriptId ?? '')
      if (!frame || !source) resolve({ isUnscripted: true })
      else resolve({ source: page.plain(source), line: frame.location.lineNumber + 1 })
    })
  })
  try {
    page.send('Debugger.pause').catch(() => undefined)
    // A script pauses at once; styles, layout and drawing do not.
    const place = await withDeadline(paused, ANSWER_MS, async () => undefined).catch(
      (): Blocked => ({ isUnscripted: true }),
    )
    const error = captureFailure('VID_PAGE_UNRESPONSIVE', { seconds, doing, ...place })
    // A script that does not return is no consequence of what the machine lacks.
    return place.source === undefined ? page.late(error) : error
  } finally {
    forget()
  }
}
