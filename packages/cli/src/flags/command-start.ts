import { createReport, type Report } from '../report.ts'
import type { FlagTable, FlagValues } from './flag.ts'
import { checkFlags, type FlagRules, type RawFlags, throwErrors } from './flag-check.ts'
import type { CliContext } from './flag-command.ts'

/** Where a command writes, as its flags --json and --quiet say. */
export const reportOf = (rawFlags: RawFlags, context: CliContext): Report =>
  createReport({ ...context, json: rawFlags.json === true, quiet: rawFlags.quiet === true })

/** Begins a command: its flags, once all of them are right, and where it writes. */
export const startCommand = <T extends FlagTable>(
  table: T,
  rawFlags: RawFlags,
  context: CliContext,
  rules?: FlagRules,
): { readonly flags: FlagValues<T>; readonly json: boolean; readonly report: Report } => {
  const { values: flags, errors } = checkFlags(table, rawFlags, rules)
  throwErrors(errors)
  return { flags, json: rawFlags.json === true, report: reportOf(rawFlags, context) }
}
