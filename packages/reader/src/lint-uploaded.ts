import { type LintSettings, lintTarget, type RenderContext } from '@vid/render'
import type { BoundedFindings, Reader } from './reader.ts'

/** The first findings about an uploaded project, in the formats that it would be rendered to. */
export const lintUploaded = async (
  settings: LintSettings,
  context: RenderContext,
  { reader, signal }: { readonly reader: Reader; readonly signal: AbortSignal },
): Promise<BoundedFindings> => {
  const { projectDir, entry, alpha } = await lintTarget(settings, context)
  return reader.lint(projectDir, entry, { alpha, signal })
}
