import { schemaProblems } from '@vid/protocol'
import { fail } from '../errors.ts'
import { type Operation, operationSchemas } from './operation.ts'

/** Operations of which exactly one of some fields is given. */
const EITHER: Readonly<Record<string, readonly string[]>> = {
  move: ['by', 'to'],
  trim: ['by', 'to'],
  media: ['src', 'import'],
  insert: ['file', 'import', 'text'],
}

const problemsOf = (value: unknown): readonly string[] => {
  const name = typeof value === 'object' && value !== null && 'op' in value ? value.op : undefined
  if (typeof name !== 'string' || !Object.hasOwn(operationSchemas, name))
    return [`op must be one of ${Object.keys(operationSchemas).join(', ')}; got ${JSON.stringify(name) ?? 'nothing'}`]
  const problems = schemaProblems(operationSchemas[name as keyof typeof operationSchemas], value)
  if (problems.length > 0) return problems
  const either = EITHER[name] ?? []
  const fields = value as Readonly<Record<string, unknown>>
  if (either.length > 0 && either.filter((field) => fields[field] !== undefined).length !== 1)
    return [`either ${either.join(' or ')} must be given`]
  return name === 'fade' && fields.in === undefined && fields.out === undefined ? ['in or out must be given'] : []
}

/** Checks operations that come from outside; VID_EDIT_OPERATION names the first that is not valid. */
export const checkOperations = (values: readonly unknown[]): readonly Operation[] => {
  for (const [index, value] of values.entries()) {
    const problems = problemsOf(value)
    if (problems.length > 0) throw fail('VID_EDIT_OPERATION', { index, problems })
  }
  return values as readonly Operation[]
}
