import type { Realm } from './natives.ts'
import { replaceMethod } from './replace.ts'

/** What scripts draw on canvases, which a page does without while only its sounds matter. */
export interface UnseenDrawing {
  install(realm: Realm): void
  /** From now on, scripts draw nothing, in any window. */
  leaveOut(): void
  /** Whether a script has read pixels since, which it may depend on. */
  readonly isMissed: boolean
}

type Method = (this: unknown, ...values: unknown[]) => unknown
type Methods = Record<string, Method>

const SHAPES = ['fill', 'stroke', 'fillRect', 'strokeRect', 'clearRect', 'fillText', 'strokeText']
const PICTURES = ['drawImage', 'putImageData']
const ARRAYS = [
  'drawArrays',
  'drawArraysInstanced',
  'drawElements',
  'drawElementsInstanced',
  'drawRangeElements',
  'clear',
  'clearBufferfv',
  'clearBufferiv',
  'clearBufferuiv',
  'clearBufferfi',
  'blitFramebuffer',
]

const CANVAS_READS = ['toDataURL', 'toBlob', 'captureStream', 'convertToBlob', 'transferToImageBitmap']
const CONTEXT_READS = ['getImageData', 'readPixels', 'getBufferSubData', 'getQueryParameter']

/** Whether a canvas refuses to draw this, so that the script gets an error. */
const isRefused = (source: unknown): boolean => {
  const { naturalWidth, videoWidth, codedWidth, width } = Object(source) as Record<string, unknown>
  return !(naturalWidth ?? videoWidth ?? codedWidth ?? width)
}

const replaceAll = (owner: object | undefined, names: readonly string[], replacing: (native: Method) => Method) => {
  if (!owner) return
  for (const name of names) {
    const { value, configurable } = Object.getOwnPropertyDescriptor(owner, name) ?? {}
    // What the page has frozen draws as ever.
    if (value && configurable) replaceMethod(owner as Methods, name, replacing(value))
  }
}

/** Creates the part, for all windows; `realms` are those that were installed so far. */
export const createUnseenDrawing = (realms: Iterable<Realm>): UnseenDrawing => {
  let isLeftOut = false
  let isMissed = false

  const skipped =
    (isRefused: (first: unknown) => boolean = () => false) =>
    (native: Method): Method =>
      function (...values) {
        // Too few values, or a wrong one, are a mistake, of which the script is to hear.
        const isMistake = values.length < native.length || isRefused(values[0])
        return isMistake ? native.apply(this, values) : undefined
      }
  const noted =
    (isRead: (first: unknown) => boolean = () => true) =>
    (native: Method): Method =>
      function (...values) {
        isMissed ||= isRead(values[0])
        return native.apply(this, values)
      }

  const replaceIn = (realm: Realm) => {
    const canvases = [realm.HTMLCanvasElement, realm.OffscreenCanvas]
    const flat = [realm.CanvasRenderingContext2D, realm.OffscreenCanvasRenderingContext2D]
    // A browser without a GPU may lack these.
    const deep: (typeof WebGL2RenderingContext | undefined)[] = [
      realm.WebGLRenderingContext as typeof WebGL2RenderingContext,
      realm.WebGL2RenderingContext,
    ]
    for (const owner of canvases) replaceAll(owner.prototype, CANVAS_READS, noted())
    for (const owner of [...flat, ...deep]) {
      replaceAll(owner?.prototype, CONTEXT_READS, noted())
      replaceAll(owner?.prototype, [...SHAPES, ...ARRAYS], skipped())
      replaceAll(owner?.prototype, PICTURES, skipped(isRefused))
    }
    replaceAll(realm.VideoFrame?.prototype, ['copyTo'], noted())
    // A bitmap of a canvas may be read by a worker.
    const isCanvas = (source: unknown) => canvases.some((kind) => source instanceof kind)
    replaceAll(realm, ['createImageBitmap'], noted(isCanvas))
  }

  return {
    get isMissed() {
      return isMissed
    },
    install(realm) {
      if (isLeftOut) replaceIn(realm)
    },
    leaveOut() {
      if (isLeftOut) return
      isLeftOut = true
      for (const realm of realms) replaceIn(realm)
    },
  }
}
