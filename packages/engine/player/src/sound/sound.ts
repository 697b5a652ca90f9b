import type { TimeSource } from '../play-clock.ts'

/** From where and how sound is played. */
export interface SoundStart {
  /** Seconds of the composition now. */
  now(): number
  readonly rate: number
  /** Seconds of the composition at which it ends. */
  readonly until: number
  /** Called when sound is heard, with the time of the device that plays it. */
  follow(source: TimeSource): void
}

/** The sound of one composition. */
export interface Sound {
  start(from: SoundStart): void
  stop(): void
  /** Sets the gain of each media element, as the page reported it for the frame that is shown. */
  setGains(gains: readonly number[]): void
  /** 0 … 1. */
  setVolume(volume: number): void
  close(): void
}
