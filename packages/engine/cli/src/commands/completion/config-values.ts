import type { CommandContext } from '@vid/command'
import { installedTargets } from '@vid/config'
import { loadProjectConfig, openContext } from '@vid/render'
import { plainConfig } from '../../plain-config.ts'

/** Values of flags, by the names of the flags. */
export type ConfigValues = Readonly<Record<string, readonly string[]>>

/** What the config of the current folder lets flags name; where it cannot be loaded, what comes with vid. */
export const configValues = async ({
  cwd,
  env,
  unguarded,
}: Pick<CommandContext, 'cwd' | 'env' | 'unguarded'>): Promise<ConfigValues> => {
  const open = await openContext({ cwd, env, configFrom: 'cwd', loading: unguarded })
  const { setup, presets, targets } = await loadProjectConfig(cwd, {}, open).catch(() => plainConfig(open))
  const formats = setup.encoders.flatMap((encoder) => encoder.formats)
  return {
    preset: presets,
    target: [...new Set([...targets, ...installedTargets(cwd)])],
    format: [...new Set(formats)],
  }
}
