import type { Option } from '@vid/command'
import type { SettingName } from '@vid/kernel'
import { shortOutputSchema } from './output-schema.ts'
import { optionsOf, type Tool } from './tool.ts'

/** Settings of a render that a tool lists with their schemas; it takes the others too, and names them alone. */
const COMMON: ReadonlySet<SettingName> = new Set(['entry', 'format', 'from', 'output', 'quality', 'to', 'variables'])

/** Further options that a tool only names. */
const RARE: ReadonlySet<string> = new Set(['alpha', 'cache', 'fresh', 'preset', 'shape', 'variables-file'])

const isRare = (name: string, { setting }: Option): boolean =>
  setting === undefined ? RARE.has(name) : !COMMON.has(setting)

/** Bounds of values: a call is checked against them, and its error names them. */
const BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
])

/** Whether a part of a schema only says that fields may have any name and any value. */
const allowsAll = (name: string, value: unknown): boolean =>
  name === 'patternProperties' && JSON.stringify(value) === '{"^.*$":{}}'

/** A schema for readers with little room, without what JSON cannot carry. */
const withoutBounds = (schema: object): object =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      allowsAll(name, value) || (BOUNDS.has(name) && typeof value !== 'object') ? undefined : value,
    ),
  )

const alsoTakes = (names: readonly string[]): string => (names.length === 0 ? '' : ` Also takes ${names.join(', ')}.`)

/** A tool as the protocol lists it: every client reads all of them before its first call, so that each word counts. */
export const listedTool = (tool: Tool) => {
  const { name, title, description, inputSchema, outputSchema, facts } = tool
  const { properties, required } = inputSchema
  const options = Object.entries(optionsOf(tool))
  const rare = new Set(options.filter(([option, facts]) => isRare(option, facts)).map(([option]) => option))
  const shown = Object.fromEntries(Object.entries(properties).filter(([option]) => !rare.has(option)))
  return {
    name,
    title,
    description: `${description}${alsoTakes([...rare])}`,
    inputSchema: {
      type: 'object' as const,
      properties: withoutBounds(shown) as Record<string, object>,
      ...(required.length > 0 && { required: [...required] }),
    },
    ...(outputSchema && { outputSchema: shortOutputSchema(outputSchema) }),
    // Only of a tool that changes something it matters whether that can be undone.
    annotations: {
      readOnlyHint: facts.effect === 'reads',
      ...(facts.effect === 'changes' && { destructiveHint: false }),
      openWorldHint: false,
    },
    ...(facts.isLong && { execution: { taskSupport: 'optional' as const } }),
  }
}
