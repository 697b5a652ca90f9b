import { withoutSecrets } from './option-marks.ts'
import type { TSchema } from './schema.ts'
import { Value } from './schema.ts'

/** Problems of a value against a schema, each with its path and the value found there; secrets are not shown. */
export const schemaProblems = (schema: TSchema, value: unknown): string[] => {
  const shown = withoutSecrets(schema, value)
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
