import { natives, type Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'
import type { Timers } from './timers.ts'

type Transfer = Transferable[] | StructuredSerializeOptions | undefined

const listOf = (transfer: Transfer): readonly Transferable[] =>
  (Array.isArray(transfer) ? transfer : transfer?.transfer) ?? []

/** Whether a message can be copied now and sent later; ports and canvases are transferred at once. */
const canWait = (realm: Realm, transfer: Transfer) =>
  listOf(transfer).every((item) => item instanceof realm.ArrayBuffer)

/** Messages that page code sends to itself, through a port or its own window; a loop of them follows the clock. */
export interface Messages {
  install(realm: Realm): void
  /** Number of messages to its own window that have been sent and have not arrived. */
  readonly underWay: number
}

/**
 * Creates the watch; `isAlone` returns whether the page is a single window, since a message between windows names its
 * sender.
 */
export const createMessages = (timers: Timers, isAlone: () => boolean): Messages => {
  let underWay = 0
  const install = (realm: Realm) => {
    // Before all listeners of the page, so that messages that they send are counted after this one.
    const arrive = ({ source }: MessageEvent) => {
      if (source === realm && underWay > 0) underWay -= 1
    }
    natives.listen.call(realm, 'message', arrive as EventListener, true)
    const clone = realm.structuredClone.bind(realm)
    const unsent = new WeakMap<MessagePort, Set<() => void>>()
    const { postMessage, close } = realm.MessagePort.prototype as {
      postMessage: (this: MessagePort, message: unknown, transfer?: unknown) => void
      close: (this: MessagePort) => void
    }
    replaceMethod(realm.MessagePort.prototype, 'postMessage', function (this: MessagePort, message, transfer) {
      if (!canWait(realm, transfer as Transfer)) return postMessage.call(this, message, transfer)
      const copied: unknown = clone(message, { transfer: [...listOf(transfer as Transfer)] })
      const waiting = unsent.get(this) ?? new Set()
      unsent.set(this, waiting)
      const send = () => {
        if (waiting.delete(send)) postMessage.call(this, copied)
      }
      waiting.add(send)
      timers.queueTask(realm, send)
    } as MessagePort['postMessage'])
    replaceMethod(realm.MessagePort.prototype, 'close', function (this: MessagePort) {
      for (const send of unsent.get(this) ?? []) send()
      close.call(this)
    })

    const post = realm.postMessage.bind(realm) as (message: unknown, options: WindowPostMessageOptions) => void
    replaceMethod(realm, 'postMessage', ((message: unknown, target?: unknown, transfer?: Transferable[]) => {
      const options: WindowPostMessageOptions =
        typeof target === 'object' && target !== null
          ? target
          : { ...(target !== undefined && { targetOrigin: String(target) }), ...(transfer && { transfer }) }
      if (!isAlone() || !canWait(realm, options.transfer)) return post(message, options)
      const copied: unknown = clone(message, { transfer: options.transfer ?? [] })
      const { targetOrigin } = options
      timers.queueTask(realm, () => {
        underWay += 1
        post(copied, targetOrigin === undefined ? {} : { targetOrigin })
      })
    }) as typeof realm.postMessage)
  }
  return {
    install,
    get underWay() {
      return underWay
    },
  }
}
