import type { RenderRequest } from '@vid/protocol'
import type { Scope } from './scope.ts'

/** Lets the capture plugin start what the first page needs, beside the plan; never rejects. */
export const prepareCapture = async (scope: Scope, request: RenderRequest): Promise<void> => {
  const { setup, watch, context, signal } = scope
  const { capture } = setup
  if (!capture.prepare || signal.aborted) return
  // What goes wrong here goes wrong again when the page is opened, and is reported there.
  const quiet = { ...context(capture), warn: () => {}, note: () => {} }
  await watch.run(capture.name, 'prepare', () => capture.prepare?.(request, quiet)).catch(() => {})
}
