import { CountSchema, type DeepReadonly, IndexSchema, Nullable, type Static, Type } from '@vid/protocol'

const Seconds = Type.Number({ minimum: 0 })
const Pixels = Type.Integer({ minimum: 1 })
const Strings = Type.Array(Type.String())

const Stretch = Type.Object({ start: Seconds, end: Seconds })

const Clip = Type.Object({
  /** Shortened start tag, such as `<video id="talk">`. */
  element: Type.String(),
  name: Type.String(),
  /** How many clips it is nested in. */
  depth: CountSchema,
  /** Where it stands in the source; null for what a script has made. */
  file: Nullable(Type.String()),
  line: Nullable(Type.Integer({ minimum: 1 })),
  /** `data-start` as written; null for what a script has made. */
  written: Nullable(Type.String()),
  /** Seconds of the whole composition. */
  start: Seconds,
  end: Seconds,
  track: Type.Number(),
  /** File of the media that it shows, and of the composition that it embeds. */
  src: Nullable(Type.String()),
  embeds: Nullable(Type.String()),
})

const Media = Type.Object({
  kind: Type.Union([Type.Literal('video'), Type.Literal('audio')]),
  src: Type.String(),
  start: Seconds,
  end: Seconds,
  /** Seconds into the source at which it begins, and the length of the source. */
  mediaStart: Seconds,
  sourceDuration: Seconds,
  rate: Type.Number(),
  loop: Type.Boolean(),
  /** Gain at its start. */
  volume: Type.Number(),
  /** The lowest and the highest gain, where it changes over time. */
  volumeRange: Type.Optional(Type.Object({ min: Type.Number(), max: Type.Number() })),
  /** -1 is left, 1 is right; left out for the middle. */
  pan: Type.Optional(Type.Number()),
  muted: Type.Boolean(),
})

const Variable = Type.Object({
  id: Type.String(),
  type: Type.String(),
  label: Type.String(),
  default: Type.Unknown(),
  value: Type.Unknown(),
  uses: Type.Array(Type.Object({ file: Type.String(), line: Type.Integer({ minimum: 1 }), how: Type.String() })),
})

const Motion = Type.Object({
  target: Type.String(),
  /** `css`, `waapi`, `gsap`, `anime`, `lottie`, or `timeline` for an object of the page. */
  kind: Type.String(),
  name: Type.String(),
  properties: Strings,
  start: Seconds,
  /** Null where it repeats without an end. */
  end: Nullable(Seconds),
})

const Sound = Type.Object({
  /** LUFS; null in silence. */
  integrated: Nullable(Type.Number()),
  /** LUFS of the loudest 3 seconds; null where all is shorter or silent. */
  shortTerm: Nullable(Type.Number()),
  /** dB of full scale; null in silence. */
  peak: Nullable(Type.Number()),
  /** The same between samples, and the second of it. */
  truePeak: Nullable(Type.Number()),
  truePeakAt: Seconds,
  /** Those of each 100 ms above -6 dB; null elsewhere. */
  truePeaks: Type.Array(Nullable(Type.Number())),
  onsets: Type.Array(Seconds),
  silent: Type.Array(Stretch),
  loud: Type.Array(Stretch),
})

const Box = Type.Object({
  element: Type.String(),
  selector: Type.String(),
  /** From the nearest element with an id, itself included, or from the body. */
  path: Type.String(),
  text: Type.Optional(Type.String()),
  clip: Nullable(IndexSchema),
  x: Type.Number(),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
})

/** What `vid timeline` has read of a composition. */
export const TimelineSchema = Type.Object({
  file: Type.String(),
  id: Type.String(),
  width: Pixels,
  height: Pixels,
  fps: Type.Union([Type.Number(), Type.String()]),
  frames: CountSchema,
  duration: Seconds,
  /** Whether a frame depends on the frames before it. */
  stateful: Type.Boolean(),
  /** Each followed by those of the composition that it holds. */
  clips: Type.Array(Clip),
  media: Type.Array(Media),
  variables: Type.Array(Variable),
  motions: Type.Array(Motion),
  /** Null when nothing is heard. */
  sound: Nullable(Sound),
  /** What is in the picture at the time of `--at`. */
  shown: Type.Optional(Type.Object({ frame: IndexSchema, time: Seconds, boxes: Type.Array(Box) })),
})
export type CompositionTimeline = DeepReadonly<Static<typeof TimelineSchema>>
