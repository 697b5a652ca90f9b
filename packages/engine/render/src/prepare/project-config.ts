import type { AskedSettings, LoadedConfig } from '@vid/config'
import type { RenderContext } from './context.ts'

/** The same configuration, with the target and the deliveries of the first preset. */
const onRemoteSide = (config: LoadedConfig, [base]: RenderContext['presets']): LoadedConfig => {
  const { target: _, ...setup } = config.setup
  const target = base?.targets?.[base.target ?? '']
  return {
    ...config,
    setup: { ...setup, ...(target && { target }), deliveries: base?.deliveries ?? [] },
    target: base?.target,
  }
}

const foldersOf = (projectDir: string, { cwd, configFrom }: RenderContext): readonly string[] => {
  if (configFrom === 'project') return [projectDir, cwd]
  return configFrom === 'cwd' ? [cwd] : configFrom
}

/** Loads the configuration of a project, with the settings of a caller above it. */
export const loadProjectConfig = async (
  projectDir: string,
  flags: AskedSettings,
  context: RenderContext,
): Promise<LoadedConfig> => {
  const { loadConfig } = await import('@vid/config')
  const { env, presets, plugins, spelling, isRemoteSide, loading } = context
  const from = foldersOf(projectDir, context)
  // The target of the config belongs to the other side; its package need not be installed here.
  const settings = isRemoteSide ? { ...flags, target: presets[0]?.target } : flags
  const input = { from, presets, plugins, env, asked: settings, sourceOf: spelling.source }
  const config = await loading(() => loadConfig(input))
  return isRemoteSide ? onRemoteSide(config, presets) : config
}
