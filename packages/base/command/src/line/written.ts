import type { WrittenOptions } from '../options/parse-options.ts'

/** A command line that was understood: the arguments and options as they are written. */
export interface Written {
  readonly arguments: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly options: WrittenOptions
}
