import { type CommandRun, inputsOf, type OptionValues, type Report, renderOptions, settingsOf } from '@vid/command'
import { cliWarning } from '../../warnings.ts'

/** What `vid render` and the commands with its options run with. */
export type RenderRun = CommandRun<typeof renderOptions, { readonly dir: string }>

/** The settings that the options of a render stand for. */
export const renderSettings = ({
  arguments: { dir },
  options,
  variables,
}: Pick<RenderRun, 'arguments' | 'options' | 'variables'>) => {
  const { preset, cache, fresh } = options
  const target = options.docker ? 'docker' : options.target
  const others = { ...(preset && { preset }), ...(target && { target }), ...(fresh && { fresh }) }
  return {
    ...settingsOf(renderOptions, options),
    ...others,
    ...(cache !== undefined && { cache }),
    projectDir: dir,
    ...(variables && { variables }),
    ...inputsOf(options),
  }
}

/** Warns of options that are accepted here for the sake of another command. */
export const warnOfForeignOptions = (options: OptionValues<typeof renderOptions>, report: Report): void => {
  const name = 'max-concurrent-renders'
  if (options[name] === undefined) return
  report.warn(cliWarning('VID_FLAG_ELSEWHERE', { flag: `--${name}`, command: 'vid producer' }))
}
