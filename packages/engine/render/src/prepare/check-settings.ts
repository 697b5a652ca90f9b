import {
  failContract,
  isTooDeep,
  MAX_NESTING,
  type RequestSetting,
  requestSettings,
  schemaProblems,
  settingConflicts,
  Type,
} from '@vid/protocol'
import type { RenderSettings } from '../settings.ts'

const settings = Object.entries<RequestSetting>(requestSettings).map(([name, { schema }]) => [name, schema])

const SettingsSchema = Type.With(
  Type.Partial(
    Type.Object({
      ...Object.fromEntries(settings),
      outputs: Type.Array(Type.Object({ format: Type.String(), output: Type.Optional(Type.String()) }), {
        minItems: 1,
      }),
      preset: Type.String(),
      target: Type.String(),
      cache: Type.Boolean(),
      fresh: Type.Boolean(),
      inputs: Type.Array(Type.String()),
    }),
  ),
  { additionalProperties: false },
)

const isSet = (value: unknown) => value !== undefined && value !== false

/** The problems that prevent writing variables as JSON. */
const jsonProblems = ({ variables }: RenderSettings): string[] => {
  try {
    JSON.stringify(variables)
    if (isTooDeep(variables)) return [`variables nest deeper than ${MAX_NESTING} levels`]
    return []
  } catch (thrown) {
    if (thrown instanceof RangeError) return [`variables nest deeper than ${MAX_NESTING} levels`]
    return [`variables must be JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`]
  }
}

const conflictsOf = (settings: RenderSettings): string[] => {
  const pairs = [...settingConflicts, ['outputs', 'output'], ['outputs', 'format']] as const
  return pairs.flatMap(([one, other]) =>
    isSet(settings[one]) && isSet(settings[other]) ? [`${one} and ${other} cannot be combined`] : [],
  )
}

/** Refuses settings with wrong values, unknown names or contradictions, naming all of them at once. */
export const checkSettings = (settings: RenderSettings): void => {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw failContract('VID_REQUEST_INVALID', {
      problems: [`settings must be an object; got ${String(settings)}`],
    })
  const unwritable = jsonProblems(settings)
  const problems = unwritable.length > 0 ? unwritable : schemaProblems(SettingsSchema, settings)
  if (problems.length === 0) problems.push(...conflictsOf(settings))
  if (problems.length > 0) throw failContract('VID_REQUEST_INVALID', { problems })
}
