import type { TSchema } from './schema.ts'
import { Value } from './schema.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Copies a value with everything its schema marks `writeOnly` taken from `secrets`, and left out where that has none.
 * What cannot be looked into (unions, records, unknown keys) goes as a whole when a secret may be in it.
 */
export const replaceSecrets = <T>(schema: TSchema | undefined, value: T, secrets?: unknown): T =>
  (schema ? replaced(schema, value, secrets) : value) as T

const replaced = (schema: TSchema, value: unknown, secrets: unknown): unknown => {
  const { properties } = schema as { properties?: Record<string, TSchema> }
  if (!properties || !isRecord(value))
    return JSON.stringify(schema).includes('"writeOnly":true') ? secrets : value
  const own = isRecord(secrets) ? secrets : {}
  return Object.fromEntries(
    Object.entries(properties)
      .map(([key, inner]) => [key, replaced(inner, value[key], own[key])] as const)
      .filter(([, inner]) => inner !== undefined),
  )
}

/** Problems of a value against a schema, each with its path and the value found there; secrets are not shown. */
export const schemaProblems = (schema: TSchema, value: unknown): string[] => {
  const shown = replaceSecrets(schema, value)
  return Value.Errors(schema, value)
    .filter(({ keyword }) => keyword !== 'boolean' && keyword !== 'const')
    .map(({ instancePath, message, params, keyword }) => {
      const at = (from: unknown) => instancePath.split('/').slice(1).reduce<unknown>(step, from)
      const found =
        at(shown) === undefined && at(value) !== undefined ? 'a secret' : JSON.stringify(at(shown))
      const extra = 'additionalProperties' in params ? `: ${String(params.additionalProperties)}` : ''
      const choices = keyword === 'anyOf' ? choicesAt(schema, instancePath) : undefined
      const rule = choices ? `must be one of ${choices.join(', ')}` : message
      return `${instancePath.slice(1).replaceAll('/', '.') || 'it'} ${rule}${extra}; got ${found}`
    })
}

/** The values that a schema names for a place, as JSON; undefined when they are not all named. */
const choicesAt = (schema: TSchema, path: string): string[] | undefined => {
  const place = path
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => step(step(at, 'properties'), key), schema)
  const options = step(place, 'anyOf')
  if (!Array.isArray(options) || !options.every((each) => step(each, 'const') !== undefined)) return undefined
  return options.map((each) => JSON.stringify(step(each, 'const')))
}

const step = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
