import { resolve } from 'node:path'
import type { Finding } from '@vid/core/lint'
import { defined, failRender } from '@vid/protocol'
import type { RenderContext } from '../prepare/context.ts'
import { loadProjectConfig } from '../prepare/project-config.ts'
import type { RenderSettings } from '../settings.ts'

export type { Finding } from '@vid/core/lint'

/** The settings that decide what is linted. */
export type LintSettings = Pick<RenderSettings, 'projectDir' | 'entry' | 'format' | 'preset'>

/** What is linted: a folder, its entry, and whether any of its formats keeps alpha. */
export const lintTarget = async (settings: LintSettings, context: RenderContext) => {
  const projectDir = resolve(context.cwd, settings.projectDir ?? '.')
  const flags = defined({ format: settings.format, preset: settings.preset })
  const { setup, render } = await loadProjectConfig(projectDir, flags, context)
  const formats = render.outputs?.map(({ format }) => format) ?? (render.format ?? 'mp4').split(',')
  const alpha = formats.some((format) => {
    const encoder = setup.encoders.find((candidate) => candidate.formats.includes(format.trim()))
    if (encoder) return Boolean(encoder.alpha)
    throw failRender('VID_FORMAT_UNKNOWN', { format, known: setup.encoders.flatMap((encoder) => encoder.formats) })
  })
  return { projectDir, entry: settings.entry ?? 'index.html', alpha }
}

/** The findings about a folder, in the formats that it would be rendered to. */
export const lintFolder = async (
  settings: LintSettings,
  context: RenderContext,
  signal: AbortSignal,
): Promise<Finding[]> => {
  const { projectDir, entry, alpha } = await lintTarget(settings, context)
  const { lintWithBundledFonts } = await import('./lint-project.ts')
  return lintWithBundledFonts(projectDir, entry, { alpha, signal })
}
