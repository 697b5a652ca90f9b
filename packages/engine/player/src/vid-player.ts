import type { ElementPatch, PageBox, PageError, PlayerComposition } from '@vid/runtime'

/** Why a player shows nothing, or no longer shows what its source says. */
export interface PlayerError {
  /** As in the errors of a render, such as `VID_PLAYER_LOAD`. */
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** Frames from `start` to before `end` that a player repeats. */
export interface FrameRange {
  readonly start: number
  readonly end: number
}

/** The detail of each event that has one; all others are plain events named as those of `<video>`. */
export interface PlayerEventDetails {
  /** Another frame is shown. */
  readonly frame: { readonly frame: number; readonly time: number; readonly exact: boolean }
  /** Frames of a replay that have been shown, and how many it takes. */
  readonly progress: { readonly done: number; readonly total: number }
  /** Errors of the page's scripts. */
  readonly problem: { readonly errors: readonly PageError[] }
  readonly error: PlayerError
}

/**
 * The properties of a `<vid-player>`; names that `<video>` has mean the same. Frameworks set undefined in place of a value
 * that is no longer given: it is then that of a new element.
 */
export interface VidPlayer extends HTMLElement {
  src: string
  controls: boolean
  autoplay: boolean
  loop: boolean
  muted: boolean
  poster: string
  /** Values that replace the composition's defaults; the attribute holds them as JSON. Setting them loads it again. */
  get variables(): Readonly<Record<string, unknown>>
  /** An object, or the text of one in JSON. */
  set variables(values: Readonly<Record<string, unknown>> | string)
  /** Seconds; setting it shows the frame of that time. */
  currentTime: number
  /** Seconds; NaN until the composition is ready. */
  readonly duration: number
  readonly paused: boolean
  readonly ended: boolean
  readonly seeking: boolean
  /** As of `<video>`: 0 nothing, 1 size and length are known, 4 a frame is shown. */
  readonly readyState: number
  readonly videoWidth: number
  readonly videoHeight: number
  playbackRate: number
  /** 0 … 1. */
  volume: number
  readonly error: PlayerError | null
  /** The captions and subtitles of the composition. A track whose mode is `showing` is shown over the picture. */
  readonly textTracks: TextTrackList
  /** The frame that is shown or being sought. */
  readonly frame: number
  /** Number of frames; 0 until the composition is ready. */
  readonly frames: number
  /** Frames in a second; 0 until the composition is ready. */
  readonly fps: number
  /** What is repeated while `loop` is set; null for everything. */
  range: FrameRange | null
  /** What the page reported; null until the composition is ready, and for a video. */
  readonly composition: PlayerComposition | null
  /** Resolves when it plays; rejects when the composition cannot be loaded. */
  play(): Promise<void>
  pause(): void
  /** Pauses nothing; resolves when the frame is shown: exact when paused. */
  seekFrame(frame: number): Promise<void>
  /** Shows the first frame at which much is visible; one whose frames depend on those before them stays where it is. */
  seekPoster(): Promise<void>
  /** Changes elements of the shown page at once; loading it again forgets that. For editors, whose source follows. */
  patch(patches: readonly ElementPatch[]): Promise<void>
  /** What can be seen in the shown frame, and where; empty until the composition is ready. */
  boxes(): Promise<readonly PageBox[]>
  /** Loads the source again and keeps frame and state; the old picture stays until the new one is there. */
  load(): Promise<void>
  addEventListener<K extends keyof PlayerEventDetails>(
    type: K,
    listener: (event: CustomEvent<PlayerEventDetails[K]>) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof PlayerEventDetails>>(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
}
