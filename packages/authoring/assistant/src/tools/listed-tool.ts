import { flagName } from '@vid/command'
import { requestSettings } from '@vid/protocol'
import { shortOutputSchema } from './output-schema.ts'
import type { Tool } from './tool.ts'

/** Settings of a render that a tool lists with their schemas; it takes the others too, and names them alone. */
const COMMON: ReadonlySet<string> = new Set(['entry', 'format', 'from', 'output', 'quality', 'to', 'variables'])

/** Options that a tool only names, where a command has its own of that name too. */
const RARE: ReadonlySet<string> = new Set([
  ...Object.keys(requestSettings)
    .filter((name) => !COMMON.has(name))
    .map(flagName),
  'alpha',
  'cache',
  'fresh',
  'preset',
  'shape',
  'variables-file',
])

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
  const rare = Object.keys(properties).filter((option) => RARE.has(option))
  const shown = Object.fromEntries(Object.entries(properties).filter(([option]) => !RARE.has(option)))
  return {
    name,
    title,
    description: `${description}${alsoTakes(rare)}`,
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
