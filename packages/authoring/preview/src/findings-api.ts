import type { DiffReport } from '@vid/analysis'
import type { CheckFinding } from '@vid/check/events'
import { type DeepReadonly, type ErrorData, type FrameRate, type Static, Type } from '@vid/protocol'

const entry = Type.String({ minLength: 1, maxLength: 1000 })
const variables = Type.Optional(Type.Record(Type.String(), Type.Unknown()))
const exact = { additionalProperties: false }

/** A state of a composition: as it is staged, as its files have it, and as the last commit of git has them. */
export const StateNameSchema = Type.Union([Type.Literal('staged'), Type.Literal('written'), Type.Literal('head')])
export type StateName = Static<typeof StateNameSchema>

/** Body of `POST /api/findings`. */
export const FindingsBodySchema = Type.Object({ entry, variables }, exact)
export type FindingsBody = DeepReadonly<Static<typeof FindingsBodySchema>>

/** What `vid check` finds in a composition as it is staged. */
export interface FindingsReply {
  readonly revision: number
  /** What was checked: `written` where nothing is staged. */
  readonly state: StateName
  /** In order of time. */
  readonly findings: readonly CheckFinding[]
  /** Findings that the page ignores with a reason, and those of `check-baseline.json`. */
  readonly ignored: number
  readonly baselined: number
  /** Why the composition could not be checked; null where it was. */
  readonly error: ErrorData | null
}

/** Body of `POST /api/changes`: since when frames have changed. */
export const ChangesBodySchema = Type.Object(
  { entry, variables, since: Type.Union([Type.Literal('written'), Type.Literal('head')]) },
  exact,
)
export type ChangesBody = DeepReadonly<Static<typeof ChangesBodySchema>>

/** The frames of a composition as it is staged that differ from an earlier state, as `vid diff` finds them. */
export interface ChangesReply extends Pick<DiffReport, 'frames' | 'differing' | 'reason' | 'intervals' | 'sound'> {
  readonly revision: number
  readonly before: StateName
  readonly after: StateName
  readonly fps: FrameRate
  /** Why they cannot be compared; null where they are. */
  readonly error: ErrorData | null
}
