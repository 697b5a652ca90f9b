import { resolve } from 'node:path'
import type { Finding } from '@vid/core/lint'
import { failRender } from '@vid/kernel'
import type { RenderContext } from '../prepare/context.ts'
import { loadProjectConfig } from '../prepare/project-config.ts'
import { defined, type RenderSettings } from '../settings.ts'

export type { Finding } from '@vid/core/lint'

/** The findings about a folder, in the formats that it would be rendered to. */
export const lintFolder = async (
  settings: Pick<RenderSettings, 'projectDir' | 'entry' | 'format' | 'preset'>,
  context: RenderContext,
  signal: AbortSignal,
): Promise<Finding[]> => {
  const projectDir = resolve(context.cwd, settings.projectDir ?? '.')
  const { lintProject } = await import('./lint-project.ts')
  const asked = defined({ format: settings.format, preset: settings.preset })
  const { setup, render } = await loadProjectConfig(projectDir, asked, context)
  const formats = render.outputs?.map(({ format }) => format) ?? (render.format ?? 'mp4').split(',')
  const alpha = formats.some((format) => {
    const encoder = setup.encoders.find((each) => each.formats.includes(format.trim()))
    if (encoder) return Boolean(encoder.alpha)
    throw failRender('VID_FORMAT_UNKNOWN', { format, known: setup.encoders.flatMap((each) => each.formats) })
  })
  return lintProject(projectDir, settings.entry ?? 'index.html', { alpha, signal })
}
