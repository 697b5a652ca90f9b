import { CountSchema, type DeepReadonly, IndexSchema, Nullable, type Static, Type } from '@vid/protocol'

const Seconds = Type.Number({ minimum: 0 })
const Pixels = Type.Integer({ minimum: 1 })
const Strings = Type.Array(Type.String())

const PixelBox = Type.Object({ x: IndexSchema, y: IndexSchema, width: Pixels, height: Pixels })

const Level = Nullable(Type.Number())

/** How two sides differ, as `vid diff` has found it. */
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
export type DiffReport = DeepReadonly<Static<typeof DiffSchema>>
