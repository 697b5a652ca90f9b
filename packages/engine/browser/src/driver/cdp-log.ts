import { describeCause } from '@vid/protocol'
import { debugLog } from '@vid/system'
import type { CdpPort } from './cdp.ts'

/** Commands and answers can contain whole frames, which are not worth printing. */
const MAX_CHARACTERS = 500

const shown = (value: unknown) => {
  const text = JSON.stringify(value) ?? ''
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text
}

/** The port, printing each command, its answer, and each event that is listened to, where `VID_DEBUG` names `cdp`. */
export const withCdpLog = (port: CdpPort): CdpPort => {
  const log = debugLog('cdp')
  if (!log) return port
  let sent = 0
  const logged = new Set<string>()
  return {
    async send(method, params) {
      sent += 1
      const command = `${sent} ${method}`
      log(`→ ${command} ${shown(params)}`)
      try {
        const answer = await port.send(method, params)
        log(`← ${command} ${shown(answer)}`)
        return answer
      } catch (cause) {
        log(`← ${command} refused: ${describeCause(cause)}`)
        throw cause
      }
    },
    on(event, listener) {
      // Once for each event, however many listen to it.
      if (!logged.has(event)) port.on(event, (params) => log(`event ${event} ${shown(params)}`))
      logged.add(event)
      return port.on(event, listener)
    },
  }
}
