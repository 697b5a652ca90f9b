import {
  CountSchema,
  type DeepReadonly,
  type EventsOf,
  errorEvent,
  IndexSchema,
  Nullable,
  StateSchema,
  type Static,
  Type,
} from '@vid/protocol'

const Seconds = Type.Number({ minimum: 0 })

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
  /** Values of the variables with which it appears, in words; null with those of the composition. */
  variables: Nullable(Type.String()),
  /** Operations of `vid edit` that mend it together; left out where none do. */
  mend: Type.Optional(Type.Array(Type.Object({ op: Type.String(), target: MendTarget }))),
})
export type CheckFinding = DeepReadonly<Static<typeof CheckFindingSchema>>

/** What `vid check` has found in a composition. */
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
  /** Frames and states of the composition, and how often it was looked at: once for each set of values. */
  frames: CountSchema,
  states: CountSchema,
  runs: CountSchema,
  /** Absolute paths of the pages of `--sheet`. */
  sheet: Type.Array(Type.String()),
})
export type CheckResult = DeepReadonly<Static<typeof CheckSchema>>

/** The events of `vid check`. */
export const checkEvents = [
  Type.Object({ type: Type.Literal('check'), ...CheckSchema.properties, state: StateSchema }),
  errorEvent('check-error'),
] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof checkEvents> {}
}
