import { ErrorDataSchema } from '../parts/event-parts.ts'
import type { DeepReadonly } from '../readonly.ts'
import { type Static, type TSchema, Type } from '../schema.ts'
import { schemaProblems } from '../schema-problems.ts'
import { batchEventSchemas } from './batch-events.ts'
import { captionEventSchemas } from './caption-events.ts'
import { cloudEventSchemas } from './cloud-events.ts'
import { commandEventSchemas } from './command-events.ts'
import { commentEventSchemas } from './comment-events.ts'
import { editEventSchemas } from './edit-events.ts'
import { filmEventSchemas } from './film-events.ts'
import { lambdaEventSchemas } from './lambda-events.ts'
import { RenderEventSchema } from './render-events.ts'

/** A render that was refused before it began: it has no id. */
const RenderRefusedSchema = Type.Object({ type: Type.Literal('render-error'), error: ErrorDataSchema })

/** Every line of `--json`, which is also what servers send. */
export const EventSchema = Type.Union([
  ...RenderEventSchema.anyOf,
  RenderRefusedSchema,
  ...batchEventSchemas,
  ...commandEventSchemas,
  ...cloudEventSchemas,
  ...lambdaEventSchemas,
  ...filmEventSchemas,
  ...editEventSchemas,
  ...commentEventSchemas,
  ...captionEventSchemas,
])
/** One line of `--json`, or one event of a server. */
export type VidEvent = DeepReadonly<Static<typeof EventSchema>>

const typeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined

/** Problems of a value as an event, each with its path; empty when it is one. */
export const eventProblems = (value: unknown): string[] => {
  const type = typeOf(value)
  const schemas = (EventSchema.anyOf as readonly (TSchema & { properties: { type: { const: string } } })[]).filter(
    ({ properties }) => properties.type.const === type,
  )
  const problems = schemas.map((schema) => schemaProblems(schema, value))
  if (problems.length === 0) return [`type must be that of an event; got ${JSON.stringify(type)}`]
  return problems.some((list) => list.length === 0) ? [] : (problems[0] ?? [])
}

/** Whether a value is an event. */
export const isEvent = (value: unknown): value is VidEvent => eventProblems(value).length === 0

/** The events of one type, or of several. */
export type EventOf<T extends VidEvent['type']> = Extract<VidEvent, { readonly type: T }>
