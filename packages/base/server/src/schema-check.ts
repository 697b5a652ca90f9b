import { Readable } from 'node:stream'
import { type DeepReadonly, findSchemaProblems, type Static, type TSchema, Value } from '@vid/protocol'
import type { FastifySchemaCompiler, FastifyTypeProvider } from 'fastify'
import { failHttp } from './errors.ts'

/** Derives the types of a route's input from its schemas. */
export interface SchemaTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  readonly serializer: this['schema'] extends TSchema ? DeepReadonly<Static<this['schema']>> : unknown
}

/** Names of the parts of a request in messages. */
const PARTS: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
}

/**
 * Checks the parts of requests, with the same messages as the command. Values in the address and headers are converted
 * to numbers and booleans as their schemas require; a body stays unchanged.
 */
export const schemaCheck: FastifySchemaCompiler<TSchema> =
  ({ schema, httpPart = 'body' }) =>
  (input: unknown) => {
    // The route reads it as it arrives.
    if (input instanceof Readable) return { value: input }
    const value = httpPart === 'body' ? input : Value.Convert(schema, { ...(input as object) })
    const problems = findSchemaProblems(schema, value)
    const [first] = problems
    if (first === undefined) return { value }
    const facts = { part: PARTS[httpPart] ?? httpPart, problems: problems.map(({ text }) => text) }
    return { error: failHttp('VID_HTTP_INVALID', { ...facts, field: first.field || undefined }) }
  }
