import type { GainEnvelope } from './gain-envelope.ts'
import type { MediaPackets } from './packets.ts'

/** The properties of a media source, read by the capturing process. */
export interface MediaFacts {
  /** Seconds. */
  readonly duration: number
  /** Pixels as displayed; 0 when the source has no picture. */
  readonly width: number
  readonly height: number
  readonly hasAudio: boolean
}

/** A media element of the page, which becomes a media track of the plan. */
export interface PageMedia {
  /** `m0`, `m1`, … in document order. */
  readonly id: string
  readonly kind: 'video' | 'audio'
  /** Path below the page's origin, without a leading slash, or an absolute URL. */
  readonly src: string
  /** Seconds of the whole composition. */
  readonly start: number
  /** Seconds of the whole composition; null when only the composition's end limits it. */
  readonly end: number | null
  /** Seconds at which the elements around it appear, when that is after `start`. */
  readonly heardFrom?: number
  /** Seconds at which the elements around it disappear, when that is before `end`. */
  readonly heardUntil?: number
  readonly mediaStart: number
  readonly rate: number
  readonly loop: boolean
  /** Gain, as a script or `data-volume` sets it. */
  readonly volume: number
  /** What the attributes do to it over time. */
  readonly envelope?: GainEnvelope
  /** -1 is left, 1 is right. */
  readonly pan?: number
  readonly muted: boolean
  readonly hasAudio: boolean | null
}

/** The images that a video shows, one for each frame from `first`. */
export interface MediaShow {
  readonly id: string
  readonly first: number
  readonly urls: readonly string[]
  /** The encoded packets of the same pictures, when the page can decode them. */
  readonly packets?: MediaPackets
}

/** The result of replacing the pictures of videos by black. */
export interface BlankReport {
  /** False when none of the videos showed a picture. */
  readonly shown: boolean
  /** By video id, the reason why its pixels are not only placed, scaled and blended. */
  readonly unfit: Readonly<Record<string, string>>
}
