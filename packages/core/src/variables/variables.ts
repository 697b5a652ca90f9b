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

/** Values by variable id. */
export type VariableValues = Readonly<Record<string, unknown>>

const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const fits = (type: Declaration['type'], value: unknown): boolean => {
  if (type === 'number') return Number.isFinite(value)
  if (type === 'boolean') return typeof value === 'boolean'
  return typeof value === 'string' && (type !== 'color' || /^#[0-9a-f]{6}$/i.test(value))
}

const issueOf = (variableId: string, value: unknown, declaration?: Declaration): VariableIssue | null => {
  if (declaration === undefined) return { kind: 'undeclared', variableId }
  if (!fits(declaration.type, value))
    return { kind: 'type-mismatch', variableId, expected: declaration.type, actual: typeName(value) }
  if (declaration.type !== 'enum') return null
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

/** Describes an issue in one line: the variable, the expected and the actual value. */
export const describeIssue = (issue: VariableIssue): string => {
  const name = `variable "${issue.variableId}"`
  if (issue.kind === 'undeclared') return `${name} is not declared in data-composition-variables`
  if (issue.kind === 'type-mismatch') return `${name} expected ${RULES[issue.expected]}, got ${issue.actual}`
  return `${name} expected one of ${issue.allowed.map((value) => `"${value}"`).join(', ')}, got "${issue.actual}"`
}
