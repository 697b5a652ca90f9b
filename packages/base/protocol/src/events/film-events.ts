import { CountSchema, ErrorDataSchema, IndexSchema, StateSchema } from '../parts/event-parts.ts'
import type { DeepReadonly } from '../readonly.ts'
import { type Static, type TSchema, Type } from '../schema.ts'

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

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
  /** Seconds of the whole film. */
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

/** What `vid timeline` has read of a film. */
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
export type FilmTimeline = DeepReadonly<Static<typeof TimelineSchema>>

/** What `vid beats` has heard. */
export const BeatsSchema = Type.Object({
  /** Beats in a minute, on average; null without any. */
  tempo: Nullable(Type.Number({ exclusiveMinimum: 0 })),
  beats: Type.Array(Seconds),
  duration: Seconds,
})
export type SoundBeats = DeepReadonly<Static<typeof BeatsSchema>>

/** What `vid sheet` has drawn. */
const SheetSchema = Type.Object({
  type: Type.Literal('sheet'),
  /** Absolute paths of the PNGs, and their sizes. */
  pages: Type.Array(Type.Object({ path: Type.String(), width: Pixels, height: Pixels })),
  /** In the order of the sheet. */
  tiles: Type.Array(
    Type.Object({
      frame: IndexSchema,
      time: Seconds,
      /** Why it is shown; empty where its time was asked for. */
      note: Type.String(),
      /** Row of the batch, counted from 0; null without one. */
      row: Nullable(IndexSchema),
    }),
  ),
})

const CheckBoxSchema = Type.Object({ x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() })

/** An element by its id, or by its line in one version of a file. */
const MendTarget = Type.Union([
  Type.String(),
  Type.Object({ file: Type.String(), line: Type.Integer({ minimum: 1 }), digest: Type.String() }),
])

/** One thing that `vid check` has found. */
export const CheckFindingSchema = Type.Object({
  /** Name of the rule. */
  rule: Type.String(),
  level: Type.Union([Type.Literal('error'), Type.Literal('warning'), Type.Literal('note')]),
  /** Seconds. */
  from: Seconds,
  to: Seconds,
  /** The first, and the one after the last. */
  frames: Type.Tuple([IndexSchema, CountSchema]),
  where: Type.Object({
    /** Selector; null where it is about the whole picture or the sound. */
    element: Nullable(Type.String()),
    /** Place in the source; null for what a script has made. */
    file: Nullable(Type.String()),
    line: Nullable(Type.Integer({ minimum: 1 })),
    /** CSS pixels of the page. */
    box: Nullable(CheckBoxSchema),
  }),
  message: Type.String(),
  hint: Type.String(),
  figures: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])),
  certainty: Type.Union([Type.Literal('certain'), Type.Literal('likely'), Type.Literal('possible')]),
  /** Values of the variables with which it appears, in words; null with those of the film. */
  variables: Nullable(Type.String()),
  /** Operations of `vid edit` that mend it together; left out where none do. */
  mend: Type.Optional(Type.Array(Type.Object({ op: Type.String(), target: MendTarget }))),
})
export type CheckFinding = DeepReadonly<Static<typeof CheckFindingSchema>>

/** What `vid check` has found in a film. */
export const CheckSchema = Type.Object({
  /** True without errors. */
  ok: Type.Boolean(),
  errors: CountSchema,
  warnings: CountSchema,
  notes: CountSchema,
  /** In order of time. */
  findings: Type.Array(CheckFindingSchema),
  /** Findings that the page ignores with a reason, and those of the baseline. */
  ignored: CountSchema,
  baselined: CountSchema,
  /** Frames and states of the film, and how often it was looked at: once for each set of values. */
  frames: CountSchema,
  states: CountSchema,
  runs: CountSchema,
  /** Absolute paths of the pages of `--sheet`. */
  sheet: Strings,
})
export type FilmCheck = DeepReadonly<Static<typeof CheckSchema>>

const PixelBox = Type.Object({ x: IndexSchema, y: IndexSchema, width: Pixels, height: Pixels })

const Level = Nullable(Type.Number())

/** How two films differ, as `vid diff` has found it. */
export const DiffSchema = Type.Object({
  /** The two sides in words. */
  before: Type.String(),
  after: Type.String(),
  fps: Type.Union([Type.Number(), Type.String()]),
  /** Frames of the longer side. */
  frames: CountSchema,
  /** Frames that differ, those that one side alone has included. */
  differing: CountSchema,
  /** Frames that were captured or decoded on both sides, and compared pixel by pixel. */
  compared: CountSchema,
  /** Why the other frames are equal, or why none could be left out. */
  reason: Type.String(),
  /** Why no pictures can be compared, such as another size; left out where they can. */
  problem: Type.Optional(Type.String()),
  intervals: Type.Array(
    Type.Object({
      start: IndexSchema,
      /** The frame after the last. */
      end: CountSchema,
      /** Seconds. */
      from: Seconds,
      until: Seconds,
      /** Of the frame that differs most: its number, part of its pixels, PSNR in dB, and where. */
      worst: IndexSchema,
      changed: Type.Number(),
      psnr: Nullable(Type.Number()),
      box: PixelBox,
      /** Selectors of the elements that changed, as far as that is known. */
      elements: Strings,
    }),
  ),
  /** Where the sound differs, with its levels in dB of full scale, null in silence; empty where it is equal. */
  sound: Type.Array(Type.Object({ from: Seconds, until: Seconds, before: Level, after: Level })),
  /** Absolute paths of the pages of `--sheet`. */
  sheet: Strings,
  /** What the command ends with: 1 for a difference, with `--exit-code`. */
  exitCode: Type.Union([Type.Literal(0), Type.Literal(1)]),
})
export type FilmDiff = DeepReadonly<Static<typeof DiffSchema>>

/** The events of commands that look at films. */
export const filmEventSchemas = [
  Type.Object({ type: Type.Literal('timeline'), ...TimelineSchema.properties, state: StateSchema }),
  Type.Object({ type: Type.Literal('timeline-error'), error: ErrorDataSchema }),
  Type.Object({ type: Type.Literal('beats'), ...BeatsSchema.properties }),
  Type.Object({ type: Type.Literal('beats-error'), error: ErrorDataSchema }),
  Type.Object({ type: Type.Literal('diff'), ...DiffSchema.properties, state: StateSchema }),
  Type.Object({ type: Type.Literal('diff-error'), error: ErrorDataSchema }),
  Type.Object({ type: Type.Literal('check'), ...CheckSchema.properties, state: StateSchema }),
  Type.Object({ type: Type.Literal('check-error'), error: ErrorDataSchema }),
  Type.Object({ ...SheetSchema.properties, state: StateSchema }),
  Type.Object({ type: Type.Literal('sheet-error'), error: ErrorDataSchema }),
] as const
