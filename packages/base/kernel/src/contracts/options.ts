import { failContract, nearest, schemaProblems, type TObject, type TSchema, Value } from '@vid/protocol'

const copyOf = (options: unknown, refuse: (problem: string) => Error): unknown => {
  try {
    return structuredClone(options)
  } catch {
    throw refuse('they must be data; a function or a promise is in them')
  }
}

/** Options with defaults filled in; unknown keys and wrong values are refused in the plugin's name. */
export const checkPluginOptions = (plugin: string, schema: TObject, options: unknown): Record<string, unknown> => {
  const refuse = (...problems: string[]) => failContract('VID_PLUGIN_OPTIONS', { plugin, problems }, { plugin })
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options)
  if (!isObject) throw refuse(`they must be an object; got ${JSON.stringify(options) ?? typeof options}`)
  const names = Object.keys(schema.properties)
  const unknown = Object.keys(options).filter((key) => !names.includes(key))
  const problems = unknown.map((key) => {
    const near = nearest(key, names)
    const meant = near === undefined ? '' : `did you mean "${near}"? `
    return `unknown option "${key}"; ${meant}known: ${names.join(', ') || 'none'}`
  })
  const filled = Value.Default(schema, copyOf(options, refuse)) as Record<string, unknown>
  const rest = Object.fromEntries(Object.entries(filled).filter(([key]) => !unknown.includes(key)))
  problems.push(...schemaProblems(schema as TSchema, rest))
  if (problems.length > 0) throw refuse(...problems)
  return filled
}
