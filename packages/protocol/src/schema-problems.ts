import { withoutSecrets } from './option-marks.ts'
import type { TSchema } from './schema.ts'
import { Value } from './schema.ts'

/** Problems of a value against a schema, each with its path and the value found there; secrets are not shown. */
export const schemaProblems = (schema: TSchema, value: unknown): string[] => {
  const shown = withoutSecrets(schema, value)
  const errors = Value.Errors(schema, value)
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath)
  // A union has one problem, not one for each of its constants.
  const isOfUnion = (path: string) => unions.some((union) => path === union || path.startsWith(`${union}/`))
  return errors
    .filter(({ keyword, instancePath }) => keyword !== 'const' || !isOfUnion(instancePath))
    .filter(({ keyword }) => keyword !== 'boolean')
    .map(({ instancePath, message, params, keyword }) => {
      const valueAt = (from: unknown) => instancePath.split('/').slice(1).reduce<unknown>(step, from)
      const found =
        valueAt(shown) === undefined && valueAt(value) !== undefined
          ? 'a secret'
          : JSON.stringify(valueAt(shown))
      const extra = 'additionalProperties' in params ? `: ${String(params.additionalProperties)}` : ''
      const choices = keyword === 'anyOf' ? choicesAt(schema, instancePath) : undefined
      const only = 'allowedValue' in params ? `must be ${JSON.stringify(params.allowedValue)}` : message
      const rule = choices ? `must be one of ${choices.join(', ')}` : only
      return `${instancePath.slice(1).replaceAll('/', '.') || 'it'} ${rule}${extra}; got ${found}`
    })
}

/** The values that a schema lists for a path, as JSON; undefined when it does not list all of them. */
const choicesAt = (schema: TSchema, path: string): string[] | undefined => {
  const place = path
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => step(step(node, 'properties'), key), schema)
  const options = step(place, 'anyOf')
  if (!Array.isArray(options) || !options.every((each) => step(each, 'const') !== undefined)) return undefined
  return options.map((each) => JSON.stringify(step(each, 'const')))
}

const step = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
