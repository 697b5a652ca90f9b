import type { VidError } from '@vid/kernel'
import { captureFailure } from './capture-errors.ts'
import { withDeadline } from './deadline.ts'
import type { PageLink } from './page.ts'

/** How long a page that is idle may take to say so. */
const ANSWER_MS = 1_000

const answers = (work: Promise<unknown>): Promise<boolean> =>
  withDeadline(work, ANSWER_MS, async () => undefined).then(
    () => true,
    () => false,
  )

/** Tells a script that never ends, with its line, from a promise that is never settled. */
export const explainSilence = async (page: PageLink, seconds: number, doing: string): Promise<VidError> => {
  if (await answers(page.send('Runtime.evaluate', { expression: '1' })))
    return captureFailure('VID_PAGE_STUCK', { seconds, doing })
  let forget = () => {}
  const paused = new Promise<{ source?: string; line?: number }>((resolve) => {
    forget = page.on('Debugger.paused', ({ callFrames: [top] }) =>
      resolve(top ? { source: page.plain(top.url) || 'a script', line: top.location.lineNumber + 1 } : {}),
    )
  })
  try {
    page.send('Debugger.pause').catch(() => undefined)
    const place = await withDeadline(paused, ANSWER_MS, async () => undefined).catch(() => ({}))
    return captureFailure('VID_PAGE_UNRESPONSIVE', { seconds, doing, ...place })
  } finally {
    forget()
  }
}
