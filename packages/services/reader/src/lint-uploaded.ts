import type { Reading } from '@vid/kernel'
import { type LintSettings, lintTarget, type RenderContext } from '@vid/render'
import { type BoundedFindings, boundedLintTask } from './read-tasks.ts'

/** The first findings about an uploaded project, in the formats that it would be rendered to. */
export const lintUploaded = async (
  settings: LintSettings,
  context: RenderContext,
  { reading, signal }: { readonly reading: Reading; readonly signal: AbortSignal },
): Promise<BoundedFindings> => reading(boundedLintTask, await lintTarget(settings, context), signal)
