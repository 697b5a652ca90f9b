import { Readable } from 'node:stream'
import { type DeepReadonly, type Static, schemaProblems, type TSchema, Value } from '@vid/kernel'
import type { FastifySchemaCompiler, FastifyTypeProvider } from 'fastify'
import { failHttp } from './errors.ts'

/** Types what a route reads by its schemas. */
export interface SchemaTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  readonly serializer: this['schema'] extends TSchema ? DeepReadonly<Static<this['schema']>> : unknown
}

/** Names of the parts of a request, as messages say them. */
const PARTS: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
}

/** Path of the value that a request should correct first, with dots; undefined for the body as a whole. */
const fieldOf = (schema: TSchema, value: unknown): string | undefined => {
  const [first] = Value.Errors(schema, value)
  if (first === undefined) return undefined
  const params: Readonly<Record<string, unknown>> = { ...first.params }
  const named = params.requiredProperties ?? params.additionalProperties
  const below: readonly unknown[] = Array.isArray(named) ? named.slice(0, 1) : []
  const path = [...first.instancePath.split('/').slice(1), ...below].join('.')
  return path === '' ? undefined : path
}

/**
 * Checks the parts of requests with the words that the command uses too. Texts of the address and of headers become
 * numbers and booleans where the schema wants them; a body stays as it is.
 */
export const schemaCheck: FastifySchemaCompiler<TSchema> =
  ({ schema, httpPart = 'body' }) =>
  (found: unknown) => {
    // The route reads it as it arrives.
    if (found instanceof Readable) return { value: found }
    const value = httpPart === 'body' ? found : Value.Convert(schema, { ...(found as object) })
    const problems = schemaProblems(schema, value)
    if (problems.length === 0) return { value }
    const part = PARTS[httpPart] ?? httpPart
    return { error: failHttp('VID_HTTP_INVALID', { part, problems, field: fieldOf(schema, value) }) }
  }
