import { ErrorDataSchema } from '../parts/event-parts.ts'
import type { DeepReadonly } from '../readonly.ts'
import { type Static, type TSchema, Type } from '../schema.ts'
import { schemaProblems } from '../schema-problems.ts'
import { batchEventSchemas } from './batch-events.ts'
import { InspectSchema } from './inspect-event.ts'
import { RenderEventSchema } from './render-events.ts'

/** A render that was refused before it began: it has no id. */
const RenderRefusedSchema = Type.Object({ type: Type.Literal('render-error'), error: ErrorDataSchema })

/** The schemas of events, one for each type. */
export type EventSchemas = readonly (TSchema & {
  readonly properties: { readonly type: { readonly const: string } }
})[]

/** The events of renders and batches, and what is known of a render before it runs: packages add those of their commands. */
export const eventSchemas = [
  ...RenderEventSchema.anyOf,
  RenderRefusedSchema,
  ...batchEventSchemas,
  InspectSchema,
] as const satisfies EventSchemas

/** The events that schemas describe, by their types. */
export type EventsOf<S extends EventSchemas> = {
  readonly [E in DeepReadonly<Static<S[number]>> as E extends { readonly type: infer T extends string } ? T : never]: E
}

/**
 * Every event of vid by its type. A package with commands adds theirs:
 * `declare module '@vid/protocol' { interface VidEvents extends EventsOf<typeof editEvents> {} }`.
 */
export interface VidEvents extends EventsOf<typeof eventSchemas> {}

/** One line of `--json`, or one event of a server. */
export type VidEvent = VidEvents[keyof VidEvents]

/** The events of one type, or of several. */
export type EventOf<T extends keyof VidEvents> = VidEvents[T]

const typeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined

/** Problems of a value as an event, each with its path; empty when it is one. `added` are the events of other packages. */
export const eventProblems = (value: unknown, added: EventSchemas = []): string[] => {
  const type = typeOf(value)
  const all: EventSchemas = [...eventSchemas, ...added]
  const problems = all
    .filter(({ properties }) => properties.type.const === type)
    .map((schema) => schemaProblems(schema, value))
  if (problems.length === 0) return [`type must be that of an event; got ${JSON.stringify(type)}`]
  return problems.some((list) => list.length === 0) ? [] : (problems[0] ?? [])
}
