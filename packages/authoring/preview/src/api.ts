import type { TreeClip } from '@vid/core'
import {
  CountSchema,
  type DeepReadonly,
  ErrorDataSchema,
  type FrameRate,
  IndexSchema,
  RenderStageSchema,
  requestSettings,
  type Static,
  type TSchema,
  Type,
  WarningSchema,
} from '@vid/protocol'
import { type StateName, StateNameSchema } from './findings-api.ts'

export { API } from './api-paths.ts'

const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const Seconds = Type.Number({ minimum: 0 })
const EntrySchema = Type.String({ minLength: 1, maxLength: 1000 })
const VariablesSchema = Type.Record(Type.String(), Type.Unknown())

/** A place in a file of the project. */
const PlaceSchema = Type.Object({
  /** Relative to the project, with forward slashes. */
  file: Type.String(),
  /** Counted from 1. */
  line: Type.Integer({ minimum: 1 }),
})

/** An HTML file of the project that is a composition, or would be one without an error. */
export const CompositionEntrySchema = Type.Object({
  entry: EntrySchema,
  /** `data-composition-id`, or the file's name when it cannot be read. */
  id: Type.String(),
  width: Nullable(Type.Integer({ minimum: 1 })),
  height: Nullable(Type.Integer({ minimum: 1 })),
  /** Seconds; null when only its page knows, once its scripts have run. */
  duration: Nullable(Seconds),
  /** Address of the prepared composition, the `src` of the player; the same in all revisions. */
  src: Type.String(),
  /** Why it cannot be shown. */
  error: Type.Optional(ErrorDataSchema),
})
export type CompositionEntry = DeepReadonly<Static<typeof CompositionEntrySchema>>

/** What is previewed. */
export const ProjectReplySchema = Type.Object({
  /** Name of the folder. */
  name: Type.String(),
  version: Type.String(),
  /** Counts changes of files since the server started. */
  revision: CountSchema,
  /** Origin of the compositions: another host than the page's. */
  origin: Type.String(),
  /** `index.html` first, then by name. */
  compositions: Type.Array(CompositionEntrySchema),
  /** HTML files that were not looked into, because there are so many. */
  unlisted: CountSchema,
  /** Name of the editor that opens files; null when none is set. */
  editor: Nullable(Type.String()),
})
export type ProjectReply = DeepReadonly<Static<typeof ProjectReplySchema>>

const declared = { id: Type.String(), label: Type.String() }
const text = Type.Optional(Type.String())
const number = Type.Optional(Type.Number())

/** One declared variable, as `data-composition-variables` has it. */
export const DeclaredVariableSchema = Type.Union([
  Type.Object({
    ...declared,
    type: Type.Literal('string'),
    default: Type.String(),
    placeholder: text,
    maxLength: number,
  }),
  Type.Object({
    ...declared,
    type: Type.Literal('number'),
    default: Type.Number(),
    min: number,
    max: number,
    step: number,
    unit: text,
  }),
  Type.Object({ ...declared, type: Type.Literal('color'), default: Type.String() }),
  Type.Object({ ...declared, type: Type.Literal('boolean'), default: Type.Boolean() }),
  Type.Object({
    ...declared,
    type: Type.Literal('enum'),
    default: Type.String(),
    options: Type.Array(Type.Object({ value: Type.String(), label: Type.String() })),
  }),
])
export type DeclaredVariable = DeepReadonly<Static<typeof DeclaredVariableSchema>>

/** A media file that a clip names, as it was probed; null parts are not in it. */
export const SourceMediaSchema = Type.Object({
  /** As the clip writes it, from the project folder. */
  src: Type.String(),
  duration: Seconds,
  picture: Nullable(
    Type.Object({
      width: Type.Integer(),
      height: Type.Integer(),
      codec: Type.String(),
      fps: Nullable(Type.Number()),
    }),
  ),
  sound: Nullable(Type.Object({ codec: Type.String(), sampleRate: Type.Integer(), channels: Type.Integer() })),
})
export type SourceMedia = DeepReadonly<Static<typeof SourceMediaSchema>>

/** Everything about one composition that its text says. */
export interface CompositionReply extends CompositionEntry {
  readonly revision: number
  /** Frames per second that a render would have, such as 30 or `30000/1001`. */
  readonly fps: FrameRate
  readonly variables: readonly DeclaredVariable[]
  /** Values that the config sets, over the defaults. */
  readonly values: Readonly<Record<string, unknown>>
  /** Timed elements as their files state them; the player reports the times that the page has in the end. */
  readonly clips: readonly TreeClip[]
  readonly media: readonly SourceMedia[]
}

/** One thing that is wrong or that the author should know. */
export const ProblemSchema = Type.Object({
  /** Where it was found: in the text, while the composition was put together, or in the real capture. */
  from: Type.Union([Type.Literal('lint'), Type.Literal('compile'), Type.Literal('capture')]),
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning'), Type.Literal('note')]),
  code: Type.String(),
  message: Type.String(),
  hint: Type.String(),
  place: Nullable(PlaceSchema),
  selector: Nullable(Type.String()),
})
export type Problem = DeepReadonly<Static<typeof ProblemSchema>>

/** The problems of one composition at one revision, the errors first. */
export interface ProblemsReply {
  readonly revision: number
  readonly problems: readonly Problem[]
}

/** What the real capture says, and the frames that it has captured for it; none when it could not. */
export interface CheckReply extends ProblemsReply {
  /** What was captured: `written` where nothing is staged. */
  readonly state: StateName
  readonly frames: readonly {
    readonly frame: number
    /** How it was captured, such as `raster`, the fastest; null where the capture engine has one way. */
    readonly lane: string | null
  }[]
}

/** Body of `POST /api/check`. */
export const CheckBodySchema = Type.Object(
  { entry: EntrySchema, variables: Type.Optional(VariablesSchema) },
  { additionalProperties: false },
)
export type CheckBody = DeepReadonly<Static<typeof CheckBodySchema>>

/** Body of `POST /api/rows`: a batch file by its path in the project, or its text. */
export const RowsBodySchema = Type.Object(
  {
    entry: EntrySchema,
    file: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    text: Type.Optional(Type.String({ maxLength: 8 * 1024 * 1024 })),
  },
  { additionalProperties: false },
)
export type RowsBody = DeepReadonly<Static<typeof RowsBodySchema>>

/** The rows of a batch; `values` are those of the row alone. */
export interface RowsReply {
  readonly rows: readonly {
    readonly index: number
    readonly values: Readonly<Record<string, unknown>>
    readonly warnings: readonly Static<typeof WarningSchema>[]
  }[]
}

/** The settings that a render accepts, with those of the config. */
export interface RenderChoices {
  readonly formats: readonly { readonly name: string; readonly alpha: boolean }[]
  readonly qualities: readonly string[]
  readonly presets: readonly string[]
  readonly targets: readonly string[]
  readonly defaults: {
    readonly format: string
    readonly quality: string
    readonly fps: FrameRate
    readonly preset: string
    readonly target: string | null
  }
}

/** Body of `POST /api/jobs`; settings that are left out come from the config. */
export const RenderBodySchema = Type.Object(
  {
    entry: EntrySchema,
    variables: Type.Optional(VariablesSchema),
    format: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    quality: Type.Optional(requestSettings.quality.schema),
    fps: Type.Optional(requestSettings.fps.schema),
    from: Type.Optional(Type.String({ maxLength: 100 })),
    to: Type.Optional(Type.String({ maxLength: 100 })),
    preset: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    target: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  { additionalProperties: false },
)
export type RenderBody = DeepReadonly<Static<typeof RenderBodySchema>>

/** A render that the page has started. */
export const JobSchema = Type.Object({
  id: Type.String(),
  state: Type.Union([
    Type.Literal('queued'),
    Type.Literal('running'),
    Type.Literal('completed'),
    Type.Literal('failed'),
    Type.Literal('cancelled'),
  ]),
  settings: RenderBodySchema,
  /** What is rendered: `written` where nothing was staged. */
  source: StateNameSchema,
  stage: Nullable(RenderStageSchema),
  /** 0 … 1 over the whole render. */
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  framesRendered: CountSchema,
  /** 0 until the plan is made. */
  totalFrames: CountSchema,
  /** Frames per second of the capture so far; null before the first. */
  speed: Nullable(Type.Number({ minimum: 0 })),
  /** Milliseconds; null while it cannot be estimated, and at the end. */
  remainingMs: Nullable(Type.Number({ minimum: 0 })),
  /** ISO 8601. */
  startedAt: Type.String(),
  endedAt: Nullable(Type.String()),
  /** Folder of the files, as the person who started the preview would write it; null until they are made. */
  folder: Nullable(Type.String()),
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      bytes: CountSchema,
      contentType: Type.String(),
      /** Path on the page's origin; null for a folder of images. */
      url: Nullable(Type.String()),
    }),
  ),
  warnings: Type.Array(WarningSchema),
  error: Nullable(ErrorDataSchema),
})
export type Job = DeepReadonly<Static<typeof JobSchema>>

/** Body of `POST /api/frame`. */
export const FrameBodySchema = Type.Object(
  {
    entry: EntrySchema,
    frame: IndexSchema,
    fps: Type.Optional(requestSettings.fps.schema),
    variables: Type.Optional(VariablesSchema),
    /** Keeps what is not drawn transparent. */
    alpha: Type.Optional(Type.Boolean()),
    /** State of the composition, `staged` if left out. */
    state: Type.Optional(StateNameSchema),
  },
  { additionalProperties: false },
)
export type FrameBody = DeepReadonly<Static<typeof FrameBodySchema>>

/** Loudest sample of each of `peaks.length` equal parts of a source, 0 … 1. */
export interface WaveformReply {
  readonly duration: number
  readonly peaks: readonly number[]
}

/** Body of `POST /api/editor`. */
export const EditorBodySchema = Type.Object(
  {
    file: Type.String({ minLength: 1, maxLength: 1000 }),
    line: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  },
  { additionalProperties: false },
)
export type EditorBody = DeepReadonly<Static<typeof EditorBodySchema>>

/**
 * What the server tells the page: `hello` at once after each connection, `change` after files have changed (what is
 * shown may be out of date), `unwatched` when not all files can be watched, `missing` while the folder is gone, `job` for each step of a render, and `checking` for each of a check.
 */
export type PreviewEvent =
  | { readonly type: 'hello'; readonly revision: number; readonly unwatched: string | null }
  | { readonly type: 'unwatched'; readonly unwatched: string }
  | {
      readonly type: 'change'
      readonly revision: number
      /** Files that were added, changed or removed, relative to the project; empty when too many were. */
      readonly files: readonly string[]
      /** Whether they hold what was staged, so that what is shown stays as it is. */
      readonly isShown: boolean
      readonly compositions: readonly CompositionEntry[]
      readonly unlisted: number
    }
  | { readonly type: 'missing'; readonly revision: number }
  | { readonly type: 'job'; readonly job: Job }
  /** Frames of a composition that a check has looked at. */
  | { readonly type: 'checking'; readonly entry: string; readonly done: number; readonly total: number }
  /** What is staged for a composition may be different. */
  | { readonly type: 'edit'; readonly entry: string; readonly version: number }
  /** The comments of the project have changed. */
  | { readonly type: 'comments' }
