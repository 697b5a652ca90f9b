import { natives, type Realm } from '../natives.ts'
import { replaceMethod } from '../replace.ts'
import type { Timers } from './timers.ts'

type Transfer = Transferable[] | StructuredSerializeOptions | undefined

const listOf = (transfer: Transfer): readonly Transferable[] =>
  (Array.isArray(transfer) ? transfer : transfer?.transfer) ?? []

/** What may be copied now and sent later; ports and canvases go at once, with what they belong to. */
const canWait = (realm: Realm, transfer: Transfer) =>
  listOf(transfer).every((each) => each instanceof realm.ArrayBuffer)

/** Messages that page code sends itself, through a port or its own window: a loop made of them follows the clock. */
export interface Messages {
  install(realm: Realm): void
  /** Messages to its own window that have been sent and have not arrived. */
  readonly underWay: number
}

/** Makes the watch; `isAlone` says whether the page is a single window, since a message between windows names its sender. */
export const createMessages = (timers: Timers, isAlone: () => boolean): Messages => {
  let underWay = 0
  const install = (realm: Realm) => {
    // Before all listeners of the page: what they do about it is counted when they have done it.
    const arrive = ({ source }: MessageEvent) => {
      if (source === realm && underWay > 0) underWay -= 1
    }
    natives.listen.call(realm, 'message', arrive as EventListener, true)
    const copy = realm.structuredClone.bind(realm)
    const unsent = new WeakMap<MessagePort, Set<() => void>>()
    const { postMessage, close } = realm.MessagePort.prototype as {
      postMessage: (this: MessagePort, message: unknown, transfer?: unknown) => void
      close: (this: MessagePort) => void
    }
    replaceMethod(realm.MessagePort.prototype, 'postMessage', function (
      this: MessagePort,
      message,
      transfer,
    ) {
      if (!canWait(realm, transfer as Transfer)) return postMessage.call(this, message, transfer)
      const copied: unknown = copy(message, { transfer: [...listOf(transfer as Transfer)] })
      const waiting = unsent.get(this) ?? new Set()
      unsent.set(this, waiting)
      const send = () => {
        if (waiting.delete(send)) postMessage.call(this, copied)
      }
      waiting.add(send)
      timers.soon(realm, send)
    } as MessagePort['postMessage'])
    replaceMethod(realm.MessagePort.prototype, 'close', function (this: MessagePort) {
      for (const send of unsent.get(this) ?? []) send()
      close.call(this)
    })

    const post = realm.postMessage.bind(realm) as (
      message: unknown,
      options: WindowPostMessageOptions,
    ) => void
    replaceMethod(realm, 'postMessage', ((message: unknown, target?: unknown, transfer?: Transferable[]) => {
      const options: WindowPostMessageOptions =
        typeof target === 'object' && target !== null
          ? target
          : { ...(target !== undefined && { targetOrigin: String(target) }), ...(transfer && { transfer }) }
      if (!isAlone() || !canWait(realm, options.transfer)) return post(message, options)
      const copied: unknown = copy(message, { transfer: options.transfer ?? [] })
      const { targetOrigin } = options
      timers.soon(realm, () => {
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
