import { parse } from 'node:path'
import { loadProjectConfig, type RenderContext } from '@vid/render'

/** The config of a folder without a config file. */
export const plainConfig = (open: RenderContext): ReturnType<typeof loadProjectConfig> => {
  const { root } = parse(open.cwd)
  const env = { ...open.env, VID_PRESET: '', VID_TARGET: '' }
  return loadProjectConfig(root, {}, { ...open, cwd: root, env })
}
