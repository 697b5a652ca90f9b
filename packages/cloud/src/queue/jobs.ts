import { type Static, Type, Value } from '@vid/kernel'

const Common = {
  renderId: Type.String(),
  /** What it is taken to need, in seconds; older versions did not say. */
  cost: Type.Optional(Type.Number()),
}
const PartOf = { ...Common, attempt: Type.Integer() }

const JobDataSchema = Type.Union([
  Type.Object({ kind: Type.Literal('render'), ...Common }),
  Type.Object({ kind: Type.Literal('segment'), ...PartOf, number: Type.Integer() }),
  Type.Object({ kind: Type.Literal('join'), ...PartOf }),
])

/** What a job of the queue is about: a render, one of its segments, or joining them. */
export type JobData = Static<typeof JobDataSchema>

/** The data of a job, which an older version may have written; undefined when it is not known here. */
export const readJobData = (data: unknown): JobData | undefined => (Value.Check(JobDataSchema, data) ? data : undefined)
