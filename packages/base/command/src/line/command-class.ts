import { type BaseContext, Command as ClipanionCommand, Option } from 'clipanion'
import type { CommandContext } from '../context.ts'
import type { AnyCommand, Argument } from '../define/command.ts'
import type { FormatFacts, OptionTable } from '../options/option.ts'
import { describeOption } from './describe-option.ts'
import { executeCommand } from './execute.ts'

/** The environment of a command, for clipanion. */
type LineContext = BaseContext & CommandContext

/** A command as clipanion makes it. */
export type CommandClass = new () => ClipanionCommand<LineContext>

// Names of fields that no field of clipanion has.
const argumentKey = (name: string) => `<${name}>`
const optionKey = (name: string) => `--${name}`

const argumentField = ({ name, isOptional, isRest, default: value }: Argument) => {
  if (isRest) return Option.Rest({ name })
  return Option.String({ name, required: !isOptional && value === undefined })
}

const optionFields = (table: OptionTable, facts: FormatFacts | undefined) =>
  Object.entries(table).map(([name, option]) => {
    const names = option.short ? `-${option.short},--${name}` : `--${name}`
    const description = describeOption(option, facts)
    const field =
      option.kind === 'switch' ? Option.Boolean(names, { description }) : Option.String(names, { description })
    return [optionKey(name), field] as const
  })

/** A command for clipanion; `facts` are for its help. */
export const commandClass = (command: AnyCommand, facts?: FormatFacts): CommandClass => {
  const { path, summary, details, examples = [] } = command
  const args: readonly Argument[] = command.arguments ?? []
  const table: OptionTable = command.options
  return class extends ClipanionCommand<LineContext> {
    static override paths = [path.split(' ')]
    static override usage = ClipanionCommand.Usage({
      description: summary,
      ...(details !== undefined && { details }),
      examples: examples.map(([about, line]: readonly [string, string]): [string, string] => [about, line]),
    })

    constructor() {
      super()
      const fields = args.map((argument) => [argumentKey(argument.name), argumentField(argument)] as const)
      Object.assign(this, Object.fromEntries([...fields, ...optionFields(table, facts)]))
    }

    async execute() {
      const fields = this as unknown as Readonly<Record<string, never>>
      const entries = args.map(({ name, default: value }) => [name, fields[argumentKey(name)] ?? value] as const)
      const options = Object.keys(table).map((name) => [name, fields[optionKey(name)]] as const)
      return executeCommand(
        command,
        { arguments: Object.fromEntries(entries), options: Object.fromEntries(options) },
        this.context,
      )
    }
  }
}
