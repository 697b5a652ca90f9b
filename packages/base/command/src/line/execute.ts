import { isVidError, type VidError } from '@vid/protocol'
import type { CommandContext } from '../context.ts'
import type { AnyCommand, CommandRun } from '../define/command.ts'
import { textParts } from '../define/result-text.ts'
import { parseOptions, throwErrors } from '../options/parse-options.ts'
import { spellingOf } from '../options/spelling.ts'
import { createPaint } from '../report/paint.ts'
import { chooseProgress, type Progress } from '../report/progress.ts'
import { createReport, type ForeignEvent, type Report } from '../report/report.ts'
import { splitPage } from './page-argument.ts'
import type { Written } from './written.ts'

/** The variables of the options, where a command has them; what is wrong with them is added to `errors`. */
const variablesOf = async (
  { options }: AnyCommand,
  values: CommandRun['options'],
  { cwd, signal }: CommandContext,
  errors: VidError[],
): Promise<Record<string, unknown> | undefined> => {
  if (!Object.hasOwn(options, 'variables')) return undefined
  if (values.variables === undefined && values['variables-file'] === undefined) return undefined
  const { readVariables } = await import('../options/variables.ts')
  const { variables, 'variables-file': file } = values as Readonly<Record<string, string | undefined>>
  return readVariables({ variables, 'variables-file': file }, cwd, signal).catch((thrown: unknown) => {
    if (!isVidError(thrown)) throw thrown
    errors.push(thrown)
    return {}
  })
}

interface Writing {
  readonly report: Report
  readonly json: boolean
  readonly quiet: boolean
  readonly arguments: Written['arguments']
  readonly options: CommandRun['options']
}

/** Writes a result: one event, or its text. */
const writeResult = async (
  command: AnyCommand,
  result: object,
  { stdout, env, cwd }: CommandContext,
  { report, json, ...line }: Writing,
): Promise<void> => {
  if (json && command.json) return void stdout.write(`${JSON.stringify(command.json(result))}\n`)
  if (json) return report.event({ type: command.event ?? command.path.replaceAll(' ', '-'), ...result } as ForeignEvent)
  const paint = createPaint(stdout as { readonly isTTY?: boolean }, env)
  const text = await command.text?.(result, { ...line, paint, cwd, isForAssistant: false })
  const { lines, before, after } = textParts(text)
  for (const line of before) report.note(line)
  for (const line of lines) report.result(line)
  for (const line of after) report.note(line)
}

/** How a command is run besides its line. */
export interface ExecuteOptions {
  /** Shows how far the work is; chosen by the line and the terminal where it is left out. */
  readonly progress?: Progress
}

/** Runs a command whose line was understood; resolves to the exit code, and rejects with the error. */
export const executeCommand = async (
  command: AnyCommand,
  written: Written,
  context: CommandContext,
  { progress }: ExecuteOptions = {},
): Promise<number> => {
  const line = await splitPage(command, written, context.cwd)
  const { conflicts, needs } = command
  const { values, errors } = parseOptions(command.options, line.options, {
    ...(conflicts && { conflicts }),
    ...(needs && { needs }),
  })
  const problems = [...errors]
  const input = { arguments: line.arguments, options: values }
  if (command.check) problems.push(...(await command.check(input)))
  const variables = await variablesOf(command, values, context, problems)
  throwErrors(problems)
  const json = line.options.json === true
  const quiet = line.options.quiet === true
  const report = createReport({ ...context, json, quiet })
  const { stdout: _, ...place } = context
  const result: unknown = await command.run({
    ...place,
    ...input,
    written: line.options,
    variables,
    spelling: spellingOf(line.options),
    report,
    progress: progress ?? chooseProgress(context, report, line.options),
    paint: createPaint(context.stdout as { readonly isTTY?: boolean }, context.env),
    json,
  })
  if (typeof result !== 'object' || result === null) return 0
  await writeResult(command, result, context, { report, json, quiet, ...input })
  return command.exitCode?.(result) ?? 0
}
