import { failContract } from './contract-errors.ts'
import { FRAME_RATE_RULE, readFrameRate } from './frame-rate.ts'
import { DigestSchema, MediaTrackSchema, PortablePathSchema } from './media.ts'
import { isTooDeep, MAX_NESTING } from './nesting.ts'
import { layoutSize, readScale, readShape, SCALE_RULE, SHAPE_RULE } from './picture-size.ts'
import type { DeepReadonly } from './readonly.ts'
import { VideoFrameFormatSchema } from './request.ts'
import { type Static, Type } from './schema.ts'
import { schemaProblems } from './schema-problems.ts'

/** Schema of an exact number: a whole number, or a fraction in lowest terms as text. */
export const ExactNumberSchema = Type.Union([
  Type.Integer({ minimum: 1 }),
  Type.String({ pattern: '^[1-9]\\d{0,9}/[1-9]\\d{0,9}$' }),
])

const Count = Type.Integer({ minimum: 1 })
/** Part of a file's name. */
const FormatSchema = Type.String({ pattern: '^[\\w-][\\w.-]*$' })
/** Without a word about its names, which would be checked one by one, with each answer of a plugin. */
const Settings = Type.Unsafe<Record<string, unknown>>({ type: 'object' })
const PluginUse = Type.Object({
  name: Type.String(),
  options: Settings,
  settings: Settings,
  /** Identity of the plugin's own code: `name@version` of an installed package, else a digest of its files. */
  code: Type.String(),
  /** Identity of the binary behind the plugin, part of the hash: another build may draw other pixels. */
  build: Type.String(),
})

/** A run of consecutive frames that is captured, encoded, retried and cached as one. */
export const SegmentSchema = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  /** First frame, counted from 0. */
  start: Type.Integer({ minimum: 0 }),
  frames: Count,
})
export type Segment = DeepReadonly<Static<typeof SegmentSchema>>

/** A picture of one frame, counted from 0: a png where the video may be transparent. */
const PosterSchema = Type.Object({
  frame: Type.Integer({ minimum: 0 }),
  format: Type.Union([Type.Literal('jpg'), Type.Literal('png')]),
})

/** HDR properties of a video. */
export const HdrSchema = Type.Object({
  transfer: Type.Union([Type.Literal('pq'), Type.Literal('hlg')]),
  /** Peak luminance of its sources in cd/m²; anything brighter is clipped to it. */
  peak: Type.Number({ minimum: 203, maximum: 10_000 }),
  /** Display that it was graded on: chromaticities in 1/50000, luminance in 1/10000 cd/m². */
  mastering: Type.String({
    pattern: '^G\\(\\d+,\\d+\\)B\\(\\d+,\\d+\\)R\\(\\d+,\\d+\\)WP\\(\\d+,\\d+\\)L\\(\\d+,\\d+\\)$',
  }),
  /** Brightest pixel, cd/m². */
  maxCll: Type.Integer({ minimum: 1, maximum: 65_535 }),
  /** Brightest frame on average, cd/m². */
  maxFall: Type.Integer({ minimum: 1, maximum: 65_535 }),
})
export type Hdr = DeepReadonly<Static<typeof HdrSchema>>

/** The loudness of a composition's sound: what is requested, what was measured, and what is done. */
export const LoudnessSchema = Type.Object({
  /** Integrated loudness in LUFS: the requested one, and that of the mix. */
  target: Type.Number({ minimum: -70, maximum: 0 }),
  integrated: Type.Number(),
  /** Highest level between the samples of the mix, dB of full scale. */
  truePeak: Type.Number(),
  /** dB that are added to the mix; what is too loud then is turned down. */
  gain: Type.Number({ minimum: -200, maximum: 200 }),
})

/** Everything that decides the bytes of a render, as data; holds no path of any machine. */
export const RenderPlanSchema = Type.Object({
  version: Type.Literal(1),
  composition: Type.Object({
    /** Entry file, relative to the project. */
    entry: PortablePathSchema,
    id: Type.String(),
    /** Shape that its page is laid out for, such as `9:16`; left out for the composition as it is written. */
    shape: Type.Optional(Type.String({ maxLength: 7 })),
    /**
     * SHA-256 of the entry file's bytes, or of the compiled text when other files are embedded in it; in a shape, of the
     * text that the shape gives.
     */
    digest: DigestSchema,
    /** Whether a page must be replayed from frame 0, because its scripts keep state between frames. */
    stateful: Type.Boolean(),
    /** Whether scripts of the page draw with WebGL, which one worker may keep all cores busy with; left out for no. */
    drawsWebgl: Type.Optional(Type.Boolean()),
  }),
  /** Of the picture, in pixels. */
  width: Count,
  height: Count,
  /** Pixels of the picture for each pixel of the page; left out for 1. */
  scale: Type.Optional(ExactNumberSchema),
  fps: ExactNumberSchema,
  frames: Count,
  /** Which frames of the composition these are: from `start` on, of all its frames; left out for all. */
  range: Type.Optional(Type.Object({ start: Type.Integer({ minimum: 0 }), of: Count })),
  /** Seconds. */
  duration: Type.Number({ exclusiveMinimum: 0 }),
  variables: Settings,
  format: FormatSchema,
  alpha: Type.Boolean(),
  segments: Type.Array(SegmentSchema, { minItems: 1 }),
  capture: PluginUse,
  encoder: PluginUse,
  /** Further outputs of the same frames. */
  outputs: Type.Optional(Type.Array(Type.Object({ format: FormatSchema, encoder: PluginUse }))),
  /** The tracks of `media` that are heard. */
  audio: Type.Array(MediaTrackSchema),
  media: Type.Array(MediaTrackSchema),
  /** Captions as text tracks of the file, one for each language, as WebVTT; left out without any. */
  textTracks: Type.Optional(
    Type.Array(Type.Object({ language: Type.String(), label: Type.String(), vtt: Type.String() })),
  ),
  /** Chapters of the file in seconds, in order; left out without any. */
  chapters: Type.Optional(
    Type.Array(
      Type.Object({
        title: Type.String({ minLength: 1 }),
        start: Type.Number({ minimum: 0 }),
        end: Type.Number({ minimum: 0 }),
      }),
      { minItems: 1 },
    ),
  ),
  /**
   * Texts that become files beside each output: `suffix` replaces the extension of its name, such as `.en.vtt`; left out
   * without any.
   */
  sidecars: Type.Optional(
    Type.Array(
      Type.Object({
        suffix: Type.String({ pattern: '^(?:\\.[\\w-]+)*\\.(?:srt|vtt)$' }),
        text: Type.String({ minLength: 1 }),
      }),
    ),
  ),
  /** The frame that becomes a picture beside the first output that can have one, and its format; left out for none. */
  poster: Type.Optional(PosterSchema),
  videoFrameFormat: VideoFrameFormatSchema,
  /** What a page may have fetched; left out where that is every public address. */
  network: Type.Optional(Type.Union([Type.Literal('none'), Type.Literal('declared')])),
  /** Other plugins whose taps can change bytes, with the hooks that they tap and the identity of their code. */
  taps: Type.Array(
    Type.Object({
      plugin: Type.String(),
      hooks: Type.Array(Type.String()),
      code: Type.String(),
      /** Left out of a plugin without any. */
      options: Type.Optional(Settings),
    }),
  ),
  /** Left out of a plan for SDR. */
  hdr: Type.Optional(HdrSchema),
  /** How the sound of the whole composition is brought to a loudness; left out where its levels stay as they are. */
  loudness: Type.Optional(LoudnessSchema),
})
export type RenderPlan = DeepReadonly<Static<typeof RenderPlanSchema>>

/** Segments that are not numbered in order, or reach beyond the plan's frames. */
const segmentProblems = ({ segments, frames: total }: RenderPlan): string[] =>
  segments.flatMap(({ index, start, frames }, position) => [
    ...(index === position ? [] : [`segments.${position}.index must be ${position}; got ${index}`]),
    ...(start + frames <= total
      ? []
      : [`segments.${position} ends at frame ${start + frames}, but the plan has ${total}`]),
  ])

/** A page of a fraction of a pixel, a rate out of bounds, or a range or a poster beyond the last frame. */
const viewProblems = ({ composition, width, height, scale, fps, frames, range, poster }: RenderPlan): string[] => {
  const { shape } = composition
  const page = layoutSize({ width, height }, scale)
  return [
    ...(readFrameRate(fps) === fps ? [] : [`fps must be ${FRAME_RATE_RULE}; got ${JSON.stringify(fps)}`]),
    ...(scale === undefined || (readScale(scale) === scale && scale !== 1)
      ? []
      : [`scale must be ${SCALE_RULE} in lowest terms; got ${JSON.stringify(scale)}`]),
    ...(shape === undefined || readShape(shape) === shape
      ? []
      : [`composition.shape must be ${SHAPE_RULE}; got ${JSON.stringify(shape)}`]),
    ...(Number.isInteger(page.width) && Number.isInteger(page.height)
      ? []
      : [`the page would be ${page.width} x ${page.height} at scale ${scale}`]),
    ...(range === undefined || range.start + frames <= range.of
      ? []
      : [`the range ends at frame ${range.start + frames}, but the composition has ${range.of}`]),
    ...(poster === undefined || poster.frame < frames
      ? []
      : [`poster.frame must be less than ${frames}; got ${poster.frame}`]),
  ]
}

/** Copies a plan as JSON carries it, and refuses one that does not fit the schema. */
export const checkPlan = (plan: unknown): RenderPlan => {
  if (isTooDeep(plan))
    throw failContract('VID_PLAN_INVALID', { problems: [`it nests deeper than ${MAX_NESTING} levels`] })
  const problems = schemaProblems(RenderPlanSchema, plan)
  if (problems.length === 0) problems.push(...segmentProblems(plan as RenderPlan), ...viewProblems(plan as RenderPlan))
  if (problems.length > 0) throw failContract('VID_PLAN_INVALID', { problems })
  return JSON.parse(JSON.stringify(plan)) as RenderPlan
}
