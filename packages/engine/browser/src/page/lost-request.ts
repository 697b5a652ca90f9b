import { startServedClock } from '@vid/system'

/** Time in which neither this process nor a browser does anything, after which a request counts as lost, in milliseconds. */
const LOST_MS = 5_000

const MAX_REQUESTS = 3

/**
 * Sends a request again that a browser has lost, and settles as the first answer does. For requests that may be answered
 * more than once, such as a picture of what a page shows: Chromium was seen to never answer one, though the page
 * answered and the process that draws was idle.
 */
export const untilAnswered = <T>(request: () => Promise<T>): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    let requests = 0
    const send = () => {
      requests += 1
      request().then(resolve, reject).finally(clock.stop)
    }
    const clock = startServedClock(() => {
      if (requests < MAX_REQUESTS && clock.now().idleMs >= requests * LOST_MS) send()
    })
    send()
  })
