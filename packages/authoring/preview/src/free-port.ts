import { connect } from 'node:net'
import { isVidError } from '@vid/protocol'
import type { Listening } from '@vid/server'
import { fail } from './errors.ts'

const TRIES = 100

/** Whether another server answers for `localhost` by IPv6, to which browsers would go first. */
const isTakenBeside = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '::1', port })
    const end = (isTaken: boolean) => {
      socket.destroy()
      resolve(isTaken)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })

const isTaken = (thrown: unknown): boolean =>
  isVidError(thrown) && (thrown.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'

/** Has a server listen at the first port from `from` on that is free; VID_PREVIEW_PORTS without one. */
export const listenFrom = async (from: number, listen: (port: number) => Promise<Listening>): Promise<Listening> => {
  const to = Math.min(from + TRIES, 65_535)
  for (let port = from; port <= to; port += 1) {
    if (await isTakenBeside(port)) continue
    try {
      // Looking first would leave time for another preview to take it.
      return await listen(port)
    } catch (thrown) {
      if (!isTaken(thrown)) throw thrown
    }
  }
  throw fail('VID_PREVIEW_PORTS', { from, to })
}
