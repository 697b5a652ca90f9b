/** The native getter and setter of a property. */
export const nativeAccessor = (
  owner: object,
  key: string,
): { get: (this: unknown) => unknown; set: (this: unknown, value: unknown) => void } =>
  Object.getOwnPropertyDescriptor(owner, key) as never

const currentTime = nativeAccessor(Animation.prototype, 'currentTime')

/** The browser's own functions, taken before the page can replace or virtualise them. */
export const natives = {
  setTimeout: globalThis.setTimeout.bind(globalThis),
  clearTimeout: globalThis.clearTimeout.bind(globalThis),
  fetch: globalThis.fetch.bind(globalThis),
  arrayBuffer: Response.prototype.arrayBuffer,
  Image: globalThis.Image,
  listen: EventTarget.prototype.addEventListener,
  dispatch: EventTarget.prototype.dispatchEvent,
  createElement: Document.prototype.createElement,
  attachShadow: Element.prototype.attachShadow,
  Worker: globalThis.Worker,
  Blob: globalThis.Blob,
  createObjectURL: URL.createObjectURL,
  revokeObjectURL: URL.revokeObjectURL,
  Date: globalThis.Date,
  animate: Element.prototype.animate,
  animation: {
    pause: Animation.prototype.pause,
    cancel: Animation.prototype.cancel,
    finish: Animation.prototype.finish,
    /** Milliseconds. */
    setTime: (animation: Animation, timeMs: number): void => currentTime.set.call(animation, timeMs),
  },
}

/** A window of this page: its own, or that of a same-origin frame. */
export type Realm = Window & typeof globalThis

const channel = new MessageChannel()
const { postMessage } = MessagePort.prototype
const waiting: (() => void)[] = []
channel.port1.onmessage = () => waiting.shift()?.()

/** Resolves in a later task, when every microtask that is queued by then has run. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    postMessage.call(channel.port2, null)
  })

/** Replaces a method so that it keeps its name, enumerability and place. */
export const replaceMethod = <T extends object, K extends keyof T>(owner: T, key: K, value: T[K]): void => {
  const old = Object.getOwnPropertyDescriptor(owner, key)
  Object.defineProperty(value as object, 'name', { value: key, configurable: true })
  Object.defineProperty(owner, key, {
    value,
    writable: true,
    configurable: true,
    enumerable: old?.enumerable ?? true,
  })
}

/** Replaces the accessors of a property; a missing one keeps the native. */
export const replaceAccessor = <T extends object>(
  owner: T,
  key: keyof T,
  accessor: { get?: (this: never) => unknown; set?: (this: never, value: never) => void },
): void => {
  const old = Object.getOwnPropertyDescriptor(owner, key)
  if (old) Object.defineProperty(owner, key, { ...old, ...accessor } as PropertyDescriptor)
}
