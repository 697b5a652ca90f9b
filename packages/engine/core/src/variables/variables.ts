import type { Warning } from '@vid/protocol'
import { coreWarning } from '../warnings.ts'
import type { Declaration } from './declarations.ts'

/** A value that does not fit the declarations; a warning, or an error under strict checking. */
export type VariableIssue =
  | { readonly kind: 'undeclared'; readonly variableId: string }
  | {
      readonly kind: 'type-mismatch'
      readonly variableId: string
      readonly expected: Declaration['type']
      readonly actual: string
    }
  | {
      readonly kind: 'enum-out-of-range'
      readonly variableId: string
      readonly allowed: readonly string[]
      readonly actual: string
    }
  | {
      readonly kind: 'out-of-range'
      readonly variableId: string
      /** The field of the declaration that the value breaks. */
      readonly limit: 'min' | 'max' | 'step' | 'maxLength'
      readonly bound: number
      /** The number, or the length of the text in characters as JavaScript counts them. */
      readonly actual: number
    }

/** Values by variable id. */
export type VariableValues = Readonly<Record<string, unknown>>

const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const fits = (type: Declaration['type'], value: unknown): boolean => {
  if (type === 'number') return Number.isFinite(value)
  if (type === 'boolean') return typeof value === 'boolean'
  return typeof value === 'string' && (type !== 'color' || /^#[0-9a-f]{6}$/i.test(value))
}

/** Tolerance of a step, in steps: 0.3 is three steps of 0.1, despite rounding. */
const STEP_EPSILON = 1e-6

/** Which limit of its declaration a number or a text breaks; null for none. */
const brokenLimit = (
  declaration: Declaration,
  value: unknown,
): { limit: 'min' | 'max' | 'step' | 'maxLength'; bound: number; actual: number } | null => {
  if (declaration.type === 'string' && typeof value === 'string') {
    const { maxLength: bound = Infinity } = declaration
    return value.length > bound ? { limit: 'maxLength', bound, actual: value.length } : null
  }
  if (declaration.type !== 'number' || typeof value !== 'number') return null
  const { min = -Infinity, max = Infinity, step = 0 } = declaration
  if (value < min) return { limit: 'min', bound: min, actual: value }
  if (value > max) return { limit: 'max', bound: max, actual: value }
  // Steps count from the minimum, else from the default, as in a number field of a page.
  const steps = step > 0 ? (value - (declaration.min ?? declaration.default)) / step : 0
  const isOff = Math.abs(steps - Math.round(steps)) > STEP_EPSILON * Math.max(1, Math.abs(steps))
  return isOff ? { limit: 'step', bound: step, actual: value } : null
}

const issueOf = (variableId: string, value: unknown, declaration?: Declaration): VariableIssue | null => {
  if (declaration === undefined) return { kind: 'undeclared', variableId }
  if (!fits(declaration.type, value))
    return { kind: 'type-mismatch', variableId, expected: declaration.type, actual: typeName(value) }
  if (declaration.type !== 'enum') {
    const broken = brokenLimit(declaration, value)
    return broken && { kind: 'out-of-range', variableId, ...broken }
  }
  const allowed = declaration.options.map((option) => option.value)
  return allowed.includes(value as string)
    ? null
    : { kind: 'enum-out-of-range', variableId, allowed, actual: value as string }
}

/** Merges values over the declared defaults; a value that does not fit is kept and reported as an issue. */
export const resolveVariables = (
  declarations: readonly Declaration[],
  overrides: VariableValues,
): { values: Record<string, unknown>; issues: VariableIssue[] } => {
  const byId = new Map(declarations.map((declaration) => [declaration.id, declaration]))
  const defaults = Object.fromEntries(declarations.map(({ id, default: value }) => [id, value]))
  return {
    values: { ...defaults, ...overrides },
    issues: Object.entries(overrides).flatMap(([id, value]) => issueOf(id, value, byId.get(id)) ?? []),
  }
}

const RULES: Readonly<Record<Declaration['type'], string>> = {
  string: 'a string',
  number: 'a finite number',
  color: 'a color (a string like "#rrggbb")',
  boolean: 'a boolean',
  enum: 'an enum value (a string)',
}

/** The code of the warning for each kind of issue. */
const WARNINGS = {
  undeclared: 'VID_VARIABLE_UNDECLARED',
  'type-mismatch': 'VID_VARIABLE_TYPE_MISMATCH',
  'enum-out-of-range': 'VID_VARIABLE_ENUM_OUT_OF_RANGE',
  'out-of-range': 'VID_VARIABLE_OUT_OF_RANGE',
} as const

const LIMITS = {
  min: (bound: number) => `at least ${bound} (min)`,
  max: (bound: number) => `at most ${bound} (max)`,
  step: (bound: number) => `steps of ${bound} (step)`,
  maxLength: (bound: number) => `at most ${bound} characters (maxLength)`,
}

const expectationOf = (issue: Exclude<VariableIssue, { kind: 'undeclared' }>) => {
  if (issue.kind === 'type-mismatch') return { expected: RULES[issue.expected], actual: issue.actual }
  if (issue.kind === 'out-of-range') return { expected: LIMITS[issue.limit](issue.bound), actual: `${issue.actual}` }
  const allowed = issue.allowed.map((value) => `"${value}"`).join(', ')
  return { expected: `one of ${allowed}`, actual: `"${issue.actual}"` }
}

/** The warning of an issue: the variable, the expected and the actual value, and the place where it is written. */
export const issueWarning = (issue: VariableIssue, place = ''): Warning => {
  const { kind, variableId } = issue
  const code = WARNINGS[kind]
  return kind === 'undeclared'
    ? coreWarning('VID_VARIABLE_UNDECLARED', { variableId, place })
    : coreWarning(code, { variableId, place, ...expectationOf(issue) })
}

/** The warning that stands for issues that are not listed, of which one is given. */
export const restWarning = ({ kind }: VariableIssue, more: number): Warning => coreWarning(WARNINGS[kind], { more })

/** Describes an issue in one line: the variable, the expected and the actual value. */
export const describeIssue = (issue: VariableIssue): string => issueWarning(issue).message
