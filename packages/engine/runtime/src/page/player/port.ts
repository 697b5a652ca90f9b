import {
  PLAYER_PORT,
  type PlayerFault,
  type PlayerMessage,
  type PlayerPageCalls,
  type PlayerPageEvents,
  type PlayerRequest,
} from '../../contract/player.ts'
import { natives } from '../realm/natives.ts'
import { browser } from './player-natives.ts'

/** Sends an event to the player. */
export type Emit = <K extends keyof PlayerPageEvents>(event: K, detail: PlayerPageEvents[K]) => void

/** A failure with a kind that the player knows. */
export const fault = (kind: PlayerFault['kind'], message: string, rest: Partial<PlayerFault> = {}) => ({
  playerFault: { kind, message, ...rest } satisfies PlayerFault,
})

const faultOf = (thrown: unknown): PlayerFault => {
  if (thrown instanceof Object && 'playerFault' in thrown) return thrown.playerFault as PlayerFault
  const message = thrown instanceof Object && 'message' in thrown ? String(thrown.message) : String(thrown)
  return { kind: 'script', message }
}

const answer = async (port: MessagePort, calls: PlayerPageCalls, { id, call, args }: PlayerRequest) => {
  const send = (message: PlayerMessage, transfer: Transferable[] = []) =>
    browser.port.post.call(port, message, transfer)
  try {
    const method = calls[call] as (...args: unknown[]) => Promise<unknown>
    const result = await method(...args)
    send({ id, result }, result instanceof ArrayBuffer ? [result] : [])
  } catch (thrown) {
    send({ id, fault: faultOf(thrown) })
  }
}

/** Answers the first port that the parent window sends. */
export const servePlayer = (createCalls: (emit: Emit) => PlayerPageCalls): void => {
  let isServed = false
  const connect = (event: Event) => {
    const message = event as MessageEvent
    if (browser.message.source.get(message) !== browser.parent || browser.message.data.get(message) !== PLAYER_PORT)
      return
    // No script of the page sees the port.
    event.stopImmediatePropagation()
    const [port] = browser.message.ports.get(message)
    if (!port || isServed) return
    isServed = true
    const calls = createCalls((name, detail) => browser.port.post.call(port, { event: name, detail }))
    natives.listen.call(port, 'message', (request) => {
      void answer(port, calls, browser.message.data.get(request as MessageEvent) as PlayerRequest)
    })
    browser.port.start.call(port)
  }
  natives.listen.call(window, 'message', connect, true)
}
