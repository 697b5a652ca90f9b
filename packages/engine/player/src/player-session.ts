import type { FrameReport } from '@vid/runtime'
import type { CompositionView } from './composition-view.ts'
import type { FrameTimes } from './frame-times.ts'
import type { PageOpening, PageSize } from './player-page.ts'
import type { FrameRange } from './vid-player.ts'

/** What is played, and how. */
export interface PlaybackSettings {
  readonly range: FrameRange
  /** Whether it is repeated. */
  readonly loop: boolean
  readonly rate: number
}

/** Reports of a playback. */
export interface PlaybackEvents {
  frame(frame: number, exact: boolean): void
  report(report: FrameReport): void
  timeupdate(): void
  /** The pictures have begun to move. */
  playing(): void
  /** It came to its end and does not repeat. */
  ended(): void
  failed(thrown: unknown): void
}

/** Reports of a video alone. */
export interface VideoEvents {
  /** It waits for more of the video. */
  waiting(): void
  /** The length may have changed. */
  grown(): void
  /** The browser has paused or resumed it, as at a media key. */
  toggled(isPlaying: boolean): void
}

/** Plays what is open in a player. */
export interface Playback {
  /** The frame that is shown or being sought. */
  readonly frame: number
  /** Seconds: of the frame that is shown, or while it plays of what is heard. */
  readonly time: number
  readonly isPlaying: boolean
  play(): void
  pause(): Promise<void>
  /** Resolves when the frame, or a later requested one, is shown. */
  seek(frame: number): Promise<void>
  /** Applies another speed or range while it plays. */
  update(): void
  close(): void
}

/** The text tracks of a player, and what is shown of them. */
export interface PlayerCaptions {
  readonly list: TextTrackList
  /** Shows the cues of a time over the picture. */
  show(seconds: number): void
  close(): void
}

/** What captions are shown on. */
export interface CaptionsStage {
  readonly place: HTMLElement | undefined
  /** Another track is shown, or there are others. */
  onChange(): void
}

/** What is open in a player: a composition, or a video. */
export interface PlayerSession {
  readonly size: PageSize
  /** Seconds; a video that is still rendered grows. */
  readonly duration: number
  readonly times: FrameTimes
  readonly playback: Playback
  /** The page of a composition; a video has none. */
  readonly view?: CompositionView
  openCaptions(stage: CaptionsStage): PlayerCaptions
  setVolume(volume: number): void
  /** Reports problems that do not keep it from playing: those so far, then each as it comes. */
  reportProblems(): void
}

/** How something is opened in a player. */
export interface SessionOpening extends Omit<PageOpening, 'source'> {
  /** What a video is put into. */
  readonly picture: HTMLElement
  readonly on: PlaybackEvents & VideoEvents
  onReplay(done: number, total: number): void
  /** Speed and range are read when they are needed. */
  settings(count: number): PlaybackSettings
}
