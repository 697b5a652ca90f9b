import type { AnyCommand, Argument, CommandTool, Option, OptionTable } from '@vid/command'
import { describeOption } from '@vid/command/line'
import { answerFields } from './answer-options.ts'
import { type ObjectSchema, outputSchemaOf } from './output-schema.ts'

/** A command as a tool for assistants. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What calls are checked against. */
  readonly inputSchema: ObjectSchema
  /** What answers are; undefined for a command whose event vid does not describe. */
  readonly outputSchema: ObjectSchema | undefined
  /** Type of the event that the command reports as its result. */
  readonly event: string
  readonly facts: CommandTool
  readonly command: AnyCommand
}

/** Options of the command line alone. */
const OUTPUT_OPTIONS = ['json', 'quiet']

/** The arguments of a tool's command that the tool has. */
export const argumentsOf = ({ command, facts }: Pick<Tool, 'command' | 'facts'>): readonly Argument[] =>
  ((command.arguments ?? []) as readonly Argument[]).filter(({ name }) => !facts.without?.includes(name))

/** The options of a tool's command that the tool has. */
export const optionsOf = ({ command, facts }: Pick<Tool, 'command' | 'facts'>): OptionTable =>
  Object.fromEntries(
    Object.entries(command.options as OptionTable).filter(
      ([name]) => !OUTPUT_OPTIONS.includes(name) && !facts.without?.includes(name) && facts.author !== name,
    ),
  )

const kindSchema = async (option: Option): Promise<object> => {
  if (option.kind === 'switch') return { type: 'boolean' }
  if (option.kind === 'choice') return { enum: option.choices }
  if (option.kind === 'integer') {
    const integer = { type: 'integer', minimum: option.min, maximum: option.max }
    return option.auto ? { anyOf: [integer, { const: 'auto' }] } : integer
  }
  return option.value ? { ...(await option.value()) } : { type: 'string', maxLength: 4096 }
}

const optionSchema = async (option: Option): Promise<object> => {
  const schema: { readonly description?: string } = await kindSchema(option)
  // The rule of a value is its schema, and that of a choice are its values.
  if (option.kind === 'text' && option.value)
    return { ...schema, description: [option.about, schema.description].filter(Boolean).join('. ') }
  if (option.kind !== 'choice') return { ...schema, description: describeOption(option) }
  return { ...schema, description: option.about, ...(option.default !== undefined && { default: option.default }) }
}

const argumentSchema = ({ name, path, default: value }: Argument): object => ({
  type: 'string',
  maxLength: 4096,
  description: `${path === undefined ? name : 'a path, from the first root'}${value === undefined ? '' : ` (default ${value})`}`,
})

/** An option with the value that it has in calls which set none. */
const withDefault = (option: Option, value: string | boolean | undefined): Option =>
  typeof value === 'string' ? { ...option, default: value } : option

const inputSchemaOf = async (tool: Pick<Tool, 'command' | 'facts'>): Promise<ObjectSchema> => {
  const words = argumentsOf(tool)
  const options = await Promise.all(
    Object.entries(optionsOf(tool)).map(
      async ([name, option]) => [name, await optionSchema(withDefault(option, tool.facts.defaults?.[name]))] as const,
    ),
  )
  const isNeeded = ({ isOptional, default: value }: Argument) => !isOptional && value === undefined
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(words.map((argument) => [argument.name, argumentSchema(argument)])),
      ...Object.fromEntries(options),
      ...answerFields(tool.facts),
    },
    required: words.filter(isNeeded).map(({ name }) => name),
    additionalProperties: false,
  }
}

const makeTool = async (command: AnyCommand, facts: CommandTool): Promise<Tool> => {
  const event = command.event ?? command.path.replaceAll(' ', '-')
  return {
    name: facts.name ?? command.path.replaceAll(' ', '_'),
    title: facts.title,
    description: [command.summary, command.details].filter(Boolean).join(' '),
    inputSchema: await inputSchemaOf({ command, facts }),
    outputSchema: outputSchemaOf(event, command.events),
    event,
    facts,
    command,
  }
}

/** The tools among commands, in their order. */
export const makeTools = async (commands: readonly AnyCommand[]): Promise<readonly Tool[]> =>
  Promise.all(commands.flatMap((command) => (command.tool ? [makeTool(command, command.tool as CommandTool)] : [])))
