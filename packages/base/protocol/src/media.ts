import type { DeepReadonly } from './readonly.ts'
import { type Static, Type } from './schema.ts'

/** A path inside the project, with forward slashes: not absolute, no URL, and never upwards. */
export const PortablePathSchema = Type.String({
  pattern: '^(?!/)(?![a-zA-Z][a-zA-Z0-9+.-]*://)(?!(.*/)?\\.\\.(/|$))[^\\\\\\0]*$',
})

/** Hexadecimal, so that it can be part of a file's name; empty while it is not known. */
export const DigestSchema = Type.String({ pattern: '^[0-9a-f]*$' })

const Seconds = Type.Number({ minimum: 0 })

/** One video or audio element and when it plays, as the page has it once its scripts have run. */
export const MediaUseSchema = Type.Object({
  /** `m0`, `m1`, … in document order. */
  id: Type.String({ pattern: '^m[0-9]+$' }),
  kind: Type.Union([Type.Literal('video'), Type.Literal('audio')]),
  /** Relative to the project with forward slashes, or an absolute URL. */
  src: Type.String(),
  /** Seconds of the whole composition. */
  start: Seconds,
  /** Seconds of the whole composition; Infinity in a probe when only the composition's end limits it. */
  end: Seconds,
  /** Seconds at which its container is first shown, when that is later than `start`: it is silent before. */
  heardFrom: Type.Optional(Seconds),
  /** Seconds at which its container is hidden, when that is earlier than `end`. */
  heardUntil: Type.Optional(Seconds),
  /** Seconds into the source. */
  mediaStart: Seconds,
  rate: Type.Number({ minimum: 0.1, maximum: 5 }),
  /** True when the part from `mediaStart` to the source's end repeats until `end`. */
  loop: Type.Boolean(),
  /** Gain, 1 leaves the sound as it is. */
  volume: Type.Number({ minimum: 0, maximum: 3.98 }),
  /** -1 is left, 1 is right; both sides as they are when it is left out. */
  pan: Type.Optional(Type.Number({ minimum: -1, maximum: 1 })),
  /** True when it gives no sound: muted, hidden, or without its own window. */
  muted: Type.Boolean(),
  /** The author's declaration; null when there is none. */
  hasAudio: Type.Union([Type.Boolean(), Type.Null()]),
  /** Gain of each frame from the first in the window, when scripts or attributes change the element's volume. */
  volumeCurve: Type.Optional(Type.Array(Type.Number({ minimum: 0, maximum: 3.98 }))),
})
export type MediaUse = DeepReadonly<Static<typeof MediaUseSchema>>

/** A captions track of a page, with the time in which it is shown. */
export interface CaptionsUse {
  /** Its source as written. */
  readonly name: string
  /** Relative to the project with forward slashes, or an absolute URL; null without a source. */
  readonly src: string | null
  readonly kind: 'captions' | 'subtitles'
  /** BCP 47 tag; empty without one. */
  readonly language: string
  readonly label: string
  /** Seconds of the whole composition at which second `mediaStart` of the file is. */
  readonly start: number
  /** Seconds of the whole composition in which it is shown; null when only the composition's end limits it. */
  readonly from: number
  readonly until: number | null
  /** Seconds into the file. */
  readonly mediaStart: number
  /** Seconds of the file in a second of the composition. */
  readonly rate: number
}

/** A chapter of a page, which begins with a clip. */
export interface ChapterUse {
  readonly title: string
  /** Seconds of the whole composition. */
  readonly start: number
}

/** Picture properties of a source file. */
export const MediaPictureSchema = Type.Object({
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  codec: Type.String(),
  /** Frames per second on average; null when the file does not say. */
  fps: Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()]),
  alpha: Type.Boolean(),
  /** Transfer function of an HDR picture; left out for SDR. */
  hdr: Type.Optional(Type.Union([Type.Literal('pq'), Type.Literal('hlg')])),
  /** Its peak luminance in cd/m², when it has `hdr`. */
  peak: Type.Optional(Type.Number({ minimum: 203, maximum: 10_000 })),
  /** How its frames are extracted. */
  frameFormat: Type.Union([Type.Literal('jpg'), Type.Literal('png')]),
})
export type MediaPicture = DeepReadonly<Static<typeof MediaPictureSchema>>

/** Sound properties of a source file. */
export const MediaSoundSchema = Type.Object({
  codec: Type.String(),
  /** Hz. */
  sampleRate: Type.Integer({ minimum: 1 }),
  channels: Type.Integer({ minimum: 1 }),
})
export type MediaSound = DeepReadonly<Static<typeof MediaSoundSchema>>

/** Properties of a source file. */
export const MediaSourceSchema = Type.Object({
  /** SHA-256 (hex) of the file. */
  digest: DigestSchema,
  /** Seconds from its first to its last sample. */
  duration: Seconds,
  /** Null when it has no picture. */
  picture: Type.Union([MediaPictureSchema, Type.Null()]),
  /** Null when it has no sound. */
  sound: Type.Union([MediaSoundSchema, Type.Null()]),
})
export type MediaSource = DeepReadonly<Static<typeof MediaSourceSchema>>

/** A use of a source that can be read; its `end` is at most the composition's, and its `src` stays in the project. */
export const MediaTrackSchema = Type.Object({
  ...MediaUseSchema.properties,
  src: Type.Union([PortablePathSchema, Type.String({ pattern: '^[hH][tT][tT][pP][sS]?://' })]),
  source: MediaSourceSchema,
})
export type MediaTrack = DeepReadonly<Static<typeof MediaTrackSchema>>
