import { type Static, Type, Value } from '@vid/protocol'

const Common = {
  renderId: Type.String(),
  /** Estimated cost in seconds; missing in jobs of older versions. */
  cost: Type.Optional(Type.Number()),
}
const PartOf = { ...Common, attempt: Type.Integer() }

const JobDataSchema = Type.Union([
  Type.Object({ kind: Type.Literal('render'), ...Common }),
  Type.Object({ kind: Type.Literal('segment'), ...PartOf, number: Type.Integer() }),
  Type.Object({ kind: Type.Literal('join'), ...PartOf }),
])

/** The task of a job: a render, one of its segments, or joining them. */
export type JobData = Static<typeof JobDataSchema>

/** Parses the data of a job, which an older version may have written; undefined if it is not understood. */
export const readJobData = (data: unknown): JobData | undefined => (Value.Check(JobDataSchema, data) ? data : undefined)
