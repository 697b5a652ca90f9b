import { loadProjectConfig, openContext } from '@vid/render'
import type { CliContext } from '../../flags/flag-command.ts'
import { plainConfig } from '../../plain-config.ts'

/** Values of flags, by the names of the flags. */
export type ConfigValues = Readonly<Record<string, readonly string[]>>

/** What the config of the current folder lets flags name; where it cannot be loaded, what comes with vid. */
export const configValues = async ({
  cwd,
  env,
  unguarded,
}: Pick<CliContext, 'cwd' | 'env' | 'unguarded'>): Promise<ConfigValues> => {
  const open = await openContext({ cwd, env, configFrom: 'cwd', loading: unguarded })
  const { setup, presets, targets } = await loadProjectConfig(cwd, {}, open).catch(() => plainConfig(open))
  const formats = setup.encoders.flatMap((encoder) => encoder.formats)
  return { preset: presets, target: targets, format: [...new Set(formats)] }
}
