import { type Static, type TSchema, Type, Value } from '@vid/protocol'

const common = { id: Type.String({ minLength: 1 }), label: Type.String() }
const text = Type.Optional(Type.String())
const number = Type.Optional(Type.Number())

const StringDeclaration = Type.Object({
  ...common,
  type: Type.Literal('string'),
  default: Type.String(),
  placeholder: text,
  maxLength: number,
})
const NumberDeclaration = Type.Object({
  ...common,
  type: Type.Literal('number'),
  default: Type.Number(),
  min: number,
  max: number,
  step: number,
  unit: text,
})
const ColorDeclaration = Type.Object({
  ...common,
  type: Type.Literal('color'),
  default: Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }),
})
const BooleanDeclaration = Type.Object({ ...common, type: Type.Literal('boolean'), default: Type.Boolean() })
const EnumDeclaration = Type.Object({
  ...common,
  type: Type.Literal('enum'),
  default: Type.String(),
  options: Type.Array(Type.Object({ value: Type.String(), label: Type.String() }), { minItems: 1 }),
})

/** One element of `data-composition-variables`; as JSON Schema too. */
export const DeclarationSchema = Type.Union([
  StringDeclaration,
  NumberDeclaration,
  ColorDeclaration,
  BooleanDeclaration,
  EnumDeclaration,
])
export type Declaration = Static<typeof DeclarationSchema>

/** Kind of fault in a declaration: the attribute's JSON, a field, its type, default or options, or a duplicate id. */
export type DeclarationFault = 'json' | 'field' | 'type' | 'default' | 'options' | 'duplicate'

/** Why a declaration is not usable. */
export interface DeclarationProblem {
  readonly fault: DeclarationFault
  /** Index in the array, counted from 0; null when the whole attribute is unusable. */
  readonly index: number | null
  readonly variableId: string | null
  readonly reason: string
}

const SCHEMAS = new Map<unknown, TSchema>([
  ['string', StringDeclaration],
  ['number', NumberDeclaration],
  ['color', ColorDeclaration],
  ['boolean', BooleanDeclaration],
  ['enum', EnumDeclaration],
])

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Fault {
  readonly fault: DeclarationFault
  readonly reason: string
}

const faultOf = (item: Readonly<Record<string, unknown>>, ids: ReadonlySet<unknown>): Fault | null => {
  for (const field of ['id', 'type', 'label', 'default'])
    if (!Object.hasOwn(item, field)) return { fault: 'field', reason: `"${field}" is missing` }
  const schema = SCHEMAS.get(item.type)
  if (schema === undefined) {
    const types = [...SCHEMAS.keys()].join(', ')
    return { fault: 'type', reason: `type ${JSON.stringify(item.type)} is not one of ${types}` }
  }
  if (item.type === 'enum' && !Object.hasOwn(item, 'options'))
    return { fault: 'options', reason: '"options" is missing' }
  const [error] = Value.Errors(schema, item)
  if (error !== undefined) {
    const field = error.instancePath.slice(1).replaceAll('/', '.')
    const fault = /^(default|options)(?=\.|$)/.exec(field)?.[1] ?? 'field'
    return { fault: fault as DeclarationFault, reason: `"${field}" ${error.message}` }
  }
  if (ids.has(item.id)) return { fault: 'duplicate', reason: `the id "${String(item.id)}" is declared twice` }
  const declaration = item as Declaration
  return declaration.type === 'enum' && !declaration.options.some(({ value }) => value === declaration.default)
    ? {
        fault: 'options',
        reason: `"default" is "${declaration.default}", which is not one of its options`,
      }
    : null
}

/** Levels of arrays and objects in the attribute at most; a declaration with options has four. */
const MAX_DEPTH = 64

/** Whether a JSON text has more levels than that: reading and checking each further one costs more. */
const isTooDeep = (json: string): boolean => {
  let depth = 0
  let isText = false
  for (let index = 0; index < json.length && depth <= MAX_DEPTH; index += 1) {
    const character = json[index]
    if (character === '"') isText = !isText
    else if (isText) index += character === '\\' ? 1 : 0
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
  }
  return depth > MAX_DEPTH
}

const readDeclarations = (json: string | null) => {
  const declarations: Declaration[] = []
  const problems: DeclarationProblem[] = []
  const whole = (reason: string) => ({
    declarations,
    problems: [{ fault: 'json' as const, index: null, variableId: null, reason }],
  })
  if (json === null) return { declarations, problems }
  if (isTooDeep(json)) return whole(`it has more than ${MAX_DEPTH} levels of arrays and objects`)
  let items: unknown
  try {
    items = JSON.parse(json)
  } catch (cause) {
    return whole(`it is not JSON: ${(cause as SyntaxError).message}`)
  }
  if (!Array.isArray(items)) return whole('it is not a JSON array')
  const ids = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    const fault: Fault | null = isRecord(item) ? faultOf(item, ids) : { fault: 'field', reason: 'it is not an object' }
    if (fault === null) {
      declarations.push(item as Declaration)
      ids.add(item.id)
    } else problems.push({ ...fault, index, variableId: typeof item?.id === 'string' ? item.id : null })
  }
  return { declarations, problems }
}

/** The usable declarations of a `data-composition-variables` attribute; invalid ones are dropped. */
export const parseDeclarations = (json: string | null): Declaration[] => readDeclarations(json).declarations

/** The declarations that `parseDeclarations` drops from the same attribute, and why. */
export const declarationProblems = (json: string | null): DeclarationProblem[] => readDeclarations(json).problems
