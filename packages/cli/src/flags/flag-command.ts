import { type BaseContext, Command, Option } from 'clipanion'
import { describeFlag } from './describe-flag.ts'
import type { FlagTable, FormatFacts } from './flag.ts'
import type { RawFlags } from './flag-check.ts'

/** The environment of a command. */
export interface CliContext extends BaseContext {
  /** Absolute folder that relative paths start from. */
  readonly cwd: string
  /** Aborts when the user wants the command to stop. */
  readonly signal: AbortSignal
  /** Runs code of the user that may block this thread: meanwhile, a stop signal ends the process at once. */
  readonly unguarded: <T>(run: () => Promise<T>) => Promise<T>
}

const keyOf = (name: string) => `--${name}`

/** A command whose flags come from a table. */
export abstract class FlagCommand extends Command<CliContext> {
  readonly #table: FlagTable

  /** `facts` are for --help. */
  constructor(table: FlagTable, facts?: FormatFacts) {
    super()
    this.#table = table
    for (const [name, flag] of Object.entries(table)) {
      const names = flag.short ? `-${flag.short},--${name}` : `--${name}`
      const description = describeFlag(flag, facts)
      const option =
        flag.kind === 'switch' ? Option.Boolean(names, { description }) : Option.String(names, { description })
      Object.assign(this, { [keyOf(name)]: option })
    }
  }

  /** Its flags as data. */
  get flagTable(): FlagTable {
    return this.#table
  }

  /** The flags as written, by name. */
  rawFlags(): RawFlags {
    const values = this as unknown as Record<string, string | boolean | undefined>
    return Object.fromEntries(Object.keys(this.#table).map((name) => [name, values[keyOf(name)]]))
  }
}
