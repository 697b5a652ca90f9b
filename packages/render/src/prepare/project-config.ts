import type { AskedSettings, LoadedConfig } from '@vid/config'
import type { RenderContext } from './context.ts'

/** Loads the configuration of a project, with the settings of a caller above it. */
export const loadProjectConfig = async (
  projectDir: string,
  asked: AskedSettings,
  { cwd, env, configFrom, presets, plugins, spelling, loading }: RenderContext,
): Promise<LoadedConfig> => {
  const { loadConfig } = await import('@vid/config')
  const from = configFrom === 'project' ? [projectDir, cwd] : [cwd]
  return loading(() => loadConfig({ from, presets, plugins, env, asked, sourceOf: spelling.source }))
}
