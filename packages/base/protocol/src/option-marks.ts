import { type TSchema, Type } from './schema.ts'

/** Keyword of an option that is never shown: JSON Schema's own. */
const SECRET = 'writeOnly'

/** Keyword of an option that belongs to a machine. */
const MACHINE_LOCAL = 'x-machine-local'

/**
 * Marks an option that belongs to a machine and not to a video: a path, a program, hosts that may be private. No plan
 * has it, and one in a plan is ignored: each machine uses its own. What changes the bytes of a video must
 * not depend on it, or the plugin's `build` must name it.
 */
export const machineLocal = <S extends TSchema>(schema: S): S =>
  Type.With(schema, { [MACHINE_LOCAL]: true }) as unknown as S

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isMarked = (schema: unknown, marks: readonly string[]): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  Object.entries(schema).some(([key, inner]) => (marks.includes(key) && inner === true) || isMarked(inner, marks))

/** Unions, records and unknown keys are removed as a whole when a marked value may be in them. */
const replaceMarked = (schema: TSchema, value: unknown, local: unknown, marks: readonly string[]): unknown => {
  const { properties } = schema as { properties?: Record<string, TSchema> }
  const isWhole = marks.some((mark) => (schema as Record<string, unknown>)[mark] === true)
  if (isWhole || !properties || !isRecord(value)) return isMarked(schema, marks) ? local : value
  const ownValues = isRecord(local) ? local : {}
  return Object.fromEntries(
    Object.entries(properties)
      .map(([key, inner]) => [key, replaceMarked(inner, value[key], ownValues[key], marks)] as const)
      .filter(([, inner]) => inner !== undefined),
  )
}

/** A copy of a value without the parts that its schema marks as secret. */
export const withoutSecrets = (schema: TSchema, value: unknown): unknown =>
  replaceMarked(schema, value, undefined, [SECRET])

type Options = Readonly<Record<string, unknown>>

/** The options of a plugin that go into a plan: no secrets, and nothing of this machine. */
export const portableOptions = (schema: TSchema | undefined, options: Options): Options =>
  schema ? (replaceMarked(schema, options, undefined, [SECRET, MACHINE_LOCAL]) as Options) : options

/** The options of a plan, with this process's own secrets and machine-local options in place of any in the plan. */
export const effectiveOptions = (schema: TSchema | undefined, planned: Options, local: Options): Options =>
  schema ? (replaceMarked(schema, planned, local, [SECRET, MACHINE_LOCAL]) as Options) : planned
