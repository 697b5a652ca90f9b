import { withoutSecrets } from './option-marks.ts'
import type { Static, TSchema } from './schema.ts'
import { Value } from './schema.ts'

/** What is wrong with one part of a value. */
export interface SchemaProblem {
  /** Path of the part to correct, with dots; empty for the value as a whole. */
  readonly field: string
  /** The field, its rule and the value found there, in words. */
  readonly text: string
}

type SchemaError = ReturnType<typeof Value.Errors>[number]

/** Most unknown keys of one object that are named. */
const MAX_NAMED_KEYS = 10
/** Most problems that are reported. */
const MAX_PROBLEMS = 50
/** Largest value whose problems are looked for, in objects, lists and the values in them. */
const MAX_PARTS = 50_000
/** Longest text of a value, or of a name, that is shown. */
const MAX_SHOWN = 200

/** Every problem of a value against a schema; secrets are not shown. */
export const findSchemaProblems = (schema: TSchema, value: unknown): readonly SchemaProblem[] => {
  if (Value.Check(schema, value)) return []
  // The library takes seconds and gigabytes to explain what is wrong with a few million parts.
  if (hasManyParts(value)) return [whole('does not fit its schema, and is too large to say where')]
  const shown = withoutSecrets(schema, value)
  const problems = new Map<string, SchemaProblem>()
  const add = (path: string, rule: string, field = fieldAt(path)) => {
    const text = `${shortened(fieldAt(path)) || 'it'} ${rule}`
    if (!problems.has(text)) problems.set(text, { field, text })
  }
  const errors = withoutOtherForms(Value.Errors(schema, value))
  for (const [path, keys] of unknownKeys(errors)) {
    const more = keys.length > MAX_NAMED_KEYS ? ` and ${keys.length - MAX_NAMED_KEYS} more` : ''
    const names = keys.slice(0, MAX_NAMED_KEYS).map(shortened).join(', ')
    add(path, `must not have additional properties: ${names}${more}`, fieldAt(`${path}/${keys[0]}`))
  }
  for (const error of errors) {
    if (isUnknownKey(error) || error.keyword === 'additionalProperties') continue
    const rule = refinementOf(schema, error.schemaPath, value) ?? ruleOf(error)
    const field = fieldAt(`${error.instancePath}${missingKey(error)}`)
    add(error.instancePath, `${rule}; got ${textAt(shown, value, error.instancePath)}`, field)
  }
  // The errors end at a limit, so that the last of them may be of no use.
  if (problems.size === 0) return [whole('does not fit its schema')]
  const named = [...problems.values()].slice(0, MAX_PROBLEMS)
  const left = problems.size - named.length
  return left > 0 ? [...named, whole(`has ${left} more problems`)] : named
}

/** Problems of a value against a schema, each with its path and the value found there; secrets are not shown. */
export const schemaProblems = (schema: TSchema, value: unknown): string[] =>
  findSchemaProblems(schema, value).map(({ text }) => text)

/** The value of a JSON text; undefined for anything else. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of a JSON text that fits a schema; undefined for anything else. */
export const parseAs = <S extends TSchema>(schema: S, text: string): Static<S> | undefined => {
  const value = parseJson(text)
  return Value.Check(schema, value) ? (value as Static<S>) : undefined
}

const whole = (rule: string): SchemaProblem => ({ field: '', text: `it ${rule}` })

const hasManyParts = (value: unknown): boolean => {
  const waiting: object[] = []
  let parts = 0
  for (let part: unknown = value; part !== undefined; part = waiting.pop()) {
    const inside = Object.values(part ?? {})
    parts += inside.length
    if (parts > MAX_PARTS) return true
    for (const value of inside) if (typeof value === 'object' && value !== null) waiting.push(value)
  }
  return false
}

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

const fieldAt = (pointer: string): string => stepsOf(pointer).join('.')

const step = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

const valueAt = (value: unknown, pointer: string): unknown => stepsOf(pointer).reduce(step, value)

const shortened = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text

const textAt = (shown: unknown, value: unknown, pointer: string): string => {
  const visible = valueAt(shown, pointer)
  if (visible === undefined && valueAt(value, pointer) !== undefined) return 'a secret'
  return shortened(JSON.stringify(visible) ?? String(visible))
}

const isUnknownKey = ({ keyword, schemaPath }: SchemaError): boolean =>
  keyword === 'boolean' && schemaPath.endsWith('/additionalProperties')

/** The keys that no schema knows, by the pointer of their object. */
const unknownKeys = (errors: readonly SchemaError[]): ReadonlyMap<string, readonly string[]> => {
  const keys = new Map<string, string[]>()
  for (const { instancePath } of errors.filter(isUnknownKey)) {
    const end = instancePath.lastIndexOf('/')
    const parent = instancePath.slice(0, end)
    const names = keys.get(parent) ?? []
    names.push(fieldAt(instancePath.slice(end)))
    keys.set(parent, names)
  }
  return keys
}

const ruleOf = ({ params, message }: SchemaError): string =>
  'allowedValue' in params ? `must be ${JSON.stringify(params.allowedValue)}` : message

const missingKey = ({ params }: SchemaError): string => {
  const [first] = 'requiredProperties' in params ? params.requiredProperties : []
  return first === undefined ? '' : `/${first}`
}

/** The rule of the part that an error is in, in words; undefined where it has none but those of its type. */
const refinementOf = (schema: TSchema, schemaPath: string, value: unknown): string | undefined => {
  let node: unknown = schema
  for (const key of ['', ...stepsOf(schemaPath)]) {
    if (key !== '') node = step(node, key)
    const [refinement] = (step(node, '~refine') ?? []) as readonly { error(value: unknown): string }[]
    if (refinement) return refinement.error(value)
  }
  return undefined
}

/** Whether an error says that a value is not of the form that a part of a union describes. */
const isOtherForm = ({ keyword, instancePath, schemaPath }: SchemaError, union: SchemaError): boolean => {
  if (keyword === 'type') return instancePath === union.instancePath
  const [, ...unions] = schemaPath.slice(union.schemaPath.length).split('/anyOf/')
  return keyword === 'const' && unions.length === 1
}

/** The words for a value that has none of the forms of a union: its choices, where an error names one for each form. */
const choiceOf = (forms: readonly (readonly SchemaError[])[], union: SchemaError): SchemaError => {
  const errors = forms.flatMap((form) => form.find((error) => isOtherForm(error, union)) ?? [])
  const [path, ...otherPaths] = new Set(errors.map(({ instancePath }) => instancePath))
  if (path === undefined || otherPaths.length > 0) return union
  const choices = errors.map(({ params }) =>
    'allowedValue' in params ? JSON.stringify(params.allowedValue) : 'type' in params ? String(params.type) : '',
  )
  return { ...union, instancePath: path, message: `must be one of ${[...new Set(choices)].join(', ')}` }
}

/** The errors of each form of a union. */
const formsOf = (union: SchemaError, errors: readonly SchemaError[]): readonly (readonly SchemaError[])[] => {
  const prefix = `${union.schemaPath}/anyOf/`
  const inside = errors.filter(
    ({ schemaPath, instancePath }) =>
      schemaPath.startsWith(prefix) && `${instancePath}/`.startsWith(`${union.instancePath}/`),
  )
  const forms = new Map<string | undefined, SchemaError[]>()
  for (const error of inside) {
    const [form] = error.schemaPath.slice(prefix.length).split('/', 1)
    const errorsOfForm = forms.get(form) ?? []
    errorsOfForm.push(error)
    forms.set(form, errorsOfForm)
  }
  return [...forms.values()]
}

/** Errors in which a union has those of the form that the value means, or one problem when it means none. */
const withoutOtherForms = (errors: readonly SchemaError[]): readonly SchemaError[] => {
  const replaced = new Map<SchemaError, readonly SchemaError[]>()
  // The errors of a union stand after those of its forms.
  for (const union of errors.filter(({ keyword }) => keyword === 'anyOf').reverse()) {
    if (replaced.has(union)) continue
    const forms = formsOf(union, errors)
    const others = forms.filter((form) => form.some((error) => isOtherForm(error, union)))
    for (const error of others.flat()) replaced.set(error, [])
    replaced.set(union, others.length === forms.length ? [choiceOf(others, union)] : [])
  }
  return errors.flatMap((error) => replaced.get(error) ?? [error])
}
