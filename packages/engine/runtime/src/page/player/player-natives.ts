import { nativeAccessor } from '../realm/natives.ts'

/** A native property of an object type. */
const property = <Owner extends object, T>(owner: Owner, key: keyof Owner & string) => {
  const { get, set } = nativeAccessor(owner, key)
  return {
    get: (object: Owner): T => get.call(object) as T,
    set: (object: Owner, value: T): void => set.call(object, value),
  }
}

const { postMessage, start } = MessagePort.prototype as {
  postMessage: (this: MessagePort, message: unknown, transfer?: Transferable[]) => void
  start: (this: MessagePort) => void
}
const media = HTMLMediaElement.prototype
const video = HTMLVideoElement.prototype
const message = MessageEvent.prototype

/** Native functions that a player needs, saved before the page script puts them on the clock of the page. */
export const browser = {
  /** Milliseconds. */
  now: performance.now.bind(performance),
  requestAnimationFrame: window.requestAnimationFrame.bind(window),
  setTimeout: window.setTimeout.bind(window) as (call: () => void, ms: number) => number,
  parent: window.parent,
  postToParent: window.parent.postMessage.bind(window.parent) as (message: unknown, target: string) => void,
  port: { post: postMessage, start },
  message: {
    data: property<MessageEvent, unknown>(message, 'data'),
    ports: property<MessageEvent, readonly MessagePort[]>(message, 'ports'),
    source: property<MessageEvent, unknown>(message, 'source'),
  },
  json: Response.prototype.json,
  MutationObserver,
  video: {
    /** Calls back once the video's next picture is handed over to be drawn. */
    requestFrame: video.requestVideoFrameCallback,
    width: property<HTMLVideoElement, number>(video, 'videoWidth'),
    height: property<HTMLVideoElement, number>(video, 'videoHeight'),
  },
  media: {
    play: media.play,
    pause: media.pause,
    load: media.load,
    currentTime: property<HTMLMediaElement, number>(media, 'currentTime'),
    duration: property<HTMLMediaElement, number>(media, 'duration'),
    playbackRate: property<HTMLMediaElement, number>(media, 'playbackRate'),
    muted: property<HTMLMediaElement, boolean>(media, 'muted'),
    paused: property<HTMLMediaElement, boolean>(media, 'paused'),
    seeking: property<HTMLMediaElement, boolean>(media, 'seeking'),
    readyState: property<HTMLMediaElement, number>(media, 'readyState'),
  },
}
