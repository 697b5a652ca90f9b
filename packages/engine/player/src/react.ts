// What pages of React import: the element, and what TypeScript knows of it in JSX.
import './index.ts'
import type { ClassAttributes, HTMLAttributes } from 'react'
import type { FrameRange, PlayerEventDetails, VidPlayer } from './vid-player.ts'

/** Events without a detail. */
type PlainEvents =
  | ('loadstart' | 'durationchange' | 'loadedmetadata' | 'loadeddata' | 'canplay' | 'canplaythrough')
  | ('play' | 'playing' | 'waiting' | 'pause' | 'seeking' | 'seeked' | 'timeupdate' | 'ended')
  | ('ratechange' | 'volumechange')

type PlayerEvents = { readonly [Type in PlainEvents]: Event } & {
  readonly [Type in keyof PlayerEventDetails]: CustomEvent<PlayerEventDetails[Type]>
}

/** Names such as `onloadstart`: from React 19 on they are listened for as they are written. */
type PlayerListeners = {
  [Type in keyof PlayerEvents as `on${Type}`]?: ((event: PlayerEvents[Type]) => void) | undefined
}

/** React's names for the same, such as `onLoadStart`, which it listens for on its own elements only. */
type DeafNames = {
  [Name in keyof HTMLAttributes<VidPlayer>]: Lowercase<Name> extends keyof PlayerListeners ? Name : never
}[keyof HTMLAttributes<VidPlayer>]

/** What `<vid-player>` takes in JSX. Up to React 18 everything becomes an attribute, and nothing listens. */
export interface VidPlayerProps
  extends Omit<HTMLAttributes<VidPlayer>, NonNullable<DeafNames>>,
    ClassAttributes<VidPlayer>,
    PlayerListeners {
  /** For React 18; later ones take `className`, too. */
  class?: string | undefined
  src?: string | undefined
  poster?: string | undefined
  /** From React 19 on also an object. */
  variables?: Readonly<Record<string, unknown>> | string | undefined
  controls?: boolean | undefined
  autoplay?: boolean | undefined
  loop?: boolean | undefined
  muted?: boolean | undefined
  /** This and what follows are properties alone: from React 19 on. */
  currentTime?: number | undefined
  volume?: number | undefined
  playbackRate?: number | undefined
  range?: FrameRange | null | undefined
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'vid-player': VidPlayerProps
    }
  }
}
