import { resolve } from 'node:path'
import { noSources } from '@vid/kernel'
import { defined, type Warning } from '@vid/protocol'
import type { RenderContext } from './prepare/context.ts'
import { loadProjectConfig } from './prepare/project-config.ts'
import type { RenderSettings } from './settings.ts'

/** Removes the finished segments that are kept for a project; resolves to the number of bytes freed. */
export const cleanCache = async (
  settings: Pick<RenderSettings, 'projectDir' | 'preset'>,
  context: RenderContext,
  { signal, onWarning }: { readonly signal: AbortSignal; onWarning?(warning: Warning): void },
): Promise<number> => {
  const projectDir = resolve(context.cwd, settings.projectDir ?? '.')
  // A store that is turned off now may still hold earlier segments.
  const env = { ...context.env, VID_CACHE: '' }
  const flags = defined({ preset: settings.preset })
  const { setup } = await loadProjectConfig(projectDir, flags, { ...context, env })
  const { store } = setup
  if (!store?.clean) return 0
  const warn = (warning: Warning) => onWarning?.(warning)
  return store.clean({
    options: store.options,
    signal,
    projectDir,
    workDir: projectDir,
    sources: noSources,
    warn,
  })
}
