/** The native getter and setter of a property. */
export const nativeAccessor = (
  owner: object,
  key: string,
): { get: (this: unknown) => unknown; set: (this: unknown, value: unknown) => void } =>
  Object.getOwnPropertyDescriptor(owner, key) as never

const currentTime = nativeAccessor(Animation.prototype, 'currentTime')

/** The native functions of the browser, saved before the page or the runtime can replace them. */
export const natives = {
  setTimeout: globalThis.setTimeout.bind(globalThis),
  clearTimeout: globalThis.clearTimeout.bind(globalThis),
  fetch: globalThis.fetch.bind(globalThis),
  getComputedStyle: globalThis.getComputedStyle.bind(globalThis),
  computedStyleMap: Element.prototype.computedStyleMap,
  checkVisibility: Element.prototype.checkVisibility as Element['checkVisibility'] | undefined,
  arrayBuffer: Response.prototype.arrayBuffer,
  Image: globalThis.Image,
  listen: EventTarget.prototype.addEventListener,
  dispatch: EventTarget.prototype.dispatchEvent,
  createElement: Document.prototype.createElement,
  createElementNS: Document.prototype.createElementNS,
  attachShadow: Element.prototype.attachShadow,
  drawImage: CanvasRenderingContext2D.prototype.drawImage as (...args: unknown[]) => void,
  fillText: CanvasRenderingContext2D.prototype.fillText,
  putImageData: CanvasRenderingContext2D.prototype.putImageData,
  ImageData: globalThis.ImageData,
  transferControl: HTMLCanvasElement.prototype.transferControlToOffscreen,
  addTextTrack: HTMLMediaElement.prototype.addTextTrack,
  getContext: HTMLCanvasElement.prototype.getContext,
  Worker: globalThis.Worker,
  postToWorker: Worker.prototype.postMessage as (this: Worker, message: unknown, transfer?: Transferable[]) => void,
  Blob: globalThis.Blob,
  URL: globalThis.URL,
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

/** A window of this page: the top one, or that of a same-origin frame. */
export type Realm = Window & typeof globalThis

const channel = new MessageChannel()
const { postMessage } = MessagePort.prototype
const waiting: (() => void)[] = []
channel.port1.onmessage = () => waiting.shift()?.()

/** Resolves in a later task, when every microtask queued until then has run. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    postMessage.call(channel.port2, null)
  })
