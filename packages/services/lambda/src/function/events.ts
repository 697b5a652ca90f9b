import { type Static, schemaProblems, type TSchema, Type } from '@vid/protocol'
import {
  type AbandonEvent,
  AbandonEventSchema,
  type AssembleEvent,
  AssembleEventSchema,
  type PublishEvent,
  PublishEventSchema,
  type SegmentEvent,
  SegmentEventSchema,
} from '../contract/action-events.ts'
import { type ExecutionInput, ExecutionInputSchema } from '../contract/execution-input.ts'
import { fail } from '../errors.ts'

/** The events that the function accepts. */
export type FunctionEvent = ExecutionInput | SegmentEvent | PublishEvent | AssembleEvent | AbandonEvent

const schemas: Readonly<Record<FunctionEvent['action'], TSchema>> = {
  plan: ExecutionInputSchema,
  segment: SegmentEventSchema,
  publish: PublishEventSchema,
  assemble: AssembleEventSchema,
  abandon: AbandonEventSchema,
}

const AnyEvent = Type.Object({ action: Type.Enum(Object.keys(schemas) as [FunctionEvent['action']]) })

/** Refuses data that does not match a schema. */
export const requireSchema = <S extends TSchema>(schema: S, data: unknown, subject: string): Static<S> => {
  const problems = schemaProblems(schema, data)
  if (problems.length > 0) throw fail('VID_LAMBDA_EVENT', { what: subject, problems })
  return data as Static<S>
}

/** Parses the event of a call; refuses unknown events. */
export const readEvent = (data: unknown): FunctionEvent => {
  const { action } = requireSchema(AnyEvent, data, 'the event')
  return requireSchema(schemas[action], data, `the event "${action}"`) as FunctionEvent
}
