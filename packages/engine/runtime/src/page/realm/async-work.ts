import { replaceMethod } from './replace.ts'

/**
 * Interfaces with methods whose promises settle without a clock: the browser reads, decodes, draws or computes meanwhile.
 * A promise that waits for a time, a user or another script belongs to none of them.
 */
const INTERFACES = [
  'AudioDecoder',
  'AudioEncoder',
  'AudioData',
  'BaseAudioContext',
  'Blob',
  'Cache',
  'CacheStorage',
  'FileSystemDirectoryHandle',
  'FileSystemFileHandle',
  'FileSystemWritableFileStream',
  'GPU',
  'GPUAdapter',
  'GPUBuffer',
  'GPUDevice',
  'GPUQueue',
  'GPUShaderModule',
  'ImageDecoder',
  'MediaCapabilities',
  'OffscreenCanvas',
  'Request',
  'Response',
  'StorageManager',
  'SubtleCrypto',
  'VideoDecoder',
  'VideoEncoder',
  'VideoFrame',
  'Worklet',
]

/** Promises that an interface has as properties. */
const PROPERTIES = [
  ['ImageDecoder', 'completed'],
  ['ImageTrackList', 'ready'],
] as const

/** Methods of interfaces with other promises, which settle later. */
const METHODS = [['OfflineAudioContext', 'startRendering']] as const

/** Interfaces that queue work and report it by events. */
const QUEUES = ['AudioDecoder', 'AudioEncoder', 'VideoDecoder', 'VideoEncoder'] as const

/** Receives work that has begun, with the interface and the member that began it and their object. */
export type TrackWork = (work: Promise<unknown>, name: string, owner: unknown) => void

/** Works that may begin at one time of the clock, while a page loads and in a frame. */
const MAX_WORKS = { loading: 1000, frame: 100 }

/** The same for work with a callback, which a browser may leave to its idle time: a second each where no frames are drawn. */
export const MAX_CALLBACKS = { loading: 50, frame: 10 }

/**
 * Passes work on, up to a limit for each time of the clock: a page that asks for more than that asks without end, so that the
 * clock would wait for ever. The rest of its work goes on in real time.
 */
export const withoutEndlessWork = (
  clock: { readonly nowMs: number; readonly started?: boolean },
  track: TrackWork,
  max = MAX_WORKS,
): TrackWork => {
  let timeMs = -1
  let begun = 0
  return (work, name, owner) => {
    if (clock.nowMs !== timeMs) begun = 0
    timeMs = clock.nowMs
    begun += 1
    if (begun <= (clock.started ? max.frame : max.loading)) track(work, name, owner)
  }
}

type AnyMethod = (this: unknown, ...args: unknown[]) => unknown
type AnyObject = Record<string, AnyMethod>

interface Queue extends EventTarget {
  readonly state: string
  readonly decodeQueueSize?: number
  readonly encodeQueueSize?: number
}

const sizeOf = ({ decodeQueueSize = 0, encodeQueueSize = 0 }: Queue) => decodeQueueSize + encodeQueueSize

/** Resolves when a queue has handed out all that it holds, or is closed. */
const untilEmpty = (queue: Queue, listen: EventTarget['addEventListener']): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (sizeOf(queue) > 0 && queue.state === 'configured') return
      resolve()
    }
    listen.call(queue, 'dequeue', look)
    look()
  })

const methodsOf = (owner: object): string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(owner))
    .filter(([name, { value, writable }]) => typeof value === 'function' && writable && name !== 'constructor')
    .map(([name]) => name)

/** Reports the asynchronous work that scripts of a window or a worker ask the browser for. */
export const watchAsyncWork = (scope: object, track: TrackWork): void => {
  const { Promise: NativePromise, EventTarget: Target } = scope as typeof globalThis
  const listen = Target.prototype.addEventListener
  const interfaceOf = (name: string) => Reflect.get(scope, name) as { prototype: object } | undefined
  const wrap = (owner: object, method: string, name: string) => {
    const native = (owner as AnyObject)[method]
    if (!native) return
    replaceMethod(owner as AnyObject, method, function (this: unknown, ...args: unknown[]) {
      const result = Reflect.apply(native, this, args)
      if (result instanceof NativePromise) track(result, name, this)
      return result
    })
  }
  wrap(scope, 'createImageBitmap', 'createImageBitmap')
  for (const name of INTERFACES) {
    const owner = interfaceOf(name)
    for (const part of owner ? [owner, owner.prototype] : [])
      for (const method of methodsOf(part)) wrap(part, method, `${name}.${method}`)
  }
  for (const [name, method] of METHODS) {
    const owner = interfaceOf(name)
    if (owner) wrap(owner.prototype, method, `${name}.${method}`)
  }
  for (const [name, property] of PROPERTIES) {
    const proto = interfaceOf(name)?.prototype
    const native = proto && Object.getOwnPropertyDescriptor(proto, property)
    if (!native?.get) continue
    const { get } = native
    Object.defineProperty(proto, property, {
      ...native,
      get(this: unknown) {
        const promise = get.call(this) as Promise<unknown>
        track(promise, `${name}.${property}`, this)
        return promise
      },
    })
  }
  for (const name of QUEUES) {
    const proto = interfaceOf(name)?.prototype as AnyObject | undefined
    for (const method of ['decode', 'encode']) {
      const native = proto?.[method]
      if (!proto || !native) continue
      replaceMethod(proto, method, function (this: unknown, ...args: unknown[]) {
        Reflect.apply(native, this, args)
        track(untilEmpty(this as Queue, listen), `${name}.${method}`, this)
      })
    }
  }
}

/** Makes functions with callbacks report their work as promises. */
export const watchCallbacks = (scope: typeof globalThis, track: TrackWork): void => {
  const canvas = scope.HTMLCanvasElement?.prototype
  if (canvas) {
    const { toBlob } = canvas
    replaceMethod(canvas, 'toBlob', function (this: HTMLCanvasElement, callback, ...rest) {
      let end = () => {}
      const work = new Promise<void>((resolve) => (end = resolve))
      toBlob.call(
        this,
        (blob) => {
          end()
          callback(blob)
        },
        ...rest,
      )
      track(work, 'HTMLCanvasElement.toBlob', this)
    })
  }
  const reader = scope.FileReader?.prototype as unknown as (AnyObject & EventTarget) | undefined
  const listen = scope.EventTarget.prototype.addEventListener
  for (const method of reader ? methodsOf(reader).filter((name) => name.startsWith('readAs')) : []) {
    const native = reader?.[method]
    if (!reader || !native) continue
    replaceMethod(reader as AnyObject, method, function (this: unknown, ...args: unknown[]) {
      Reflect.apply(native, this, args)
      const ends = new Promise((resolve) => listen.call(this as EventTarget, 'loadend', resolve, { once: true }))
      track(ends, `FileReader.${method}`, this)
    })
  }
}
