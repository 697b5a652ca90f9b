import { VidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import { failureText } from './failure-text.ts'
import type { RenderProgress } from './render-progress.ts'

/** Descriptions of endings for which AWS reports no error. */
const ENDS: Readonly<Record<string, string>> = {
  FAILED: 'AWS gives no reason',
  TIMED_OUT: 'it took longer than a workflow may',
}

const CODE = /^VID(_[A-Z0-9]+)+$/

/** The reason why a render did not succeed: the function's own error if it is one. */
export const lambdaFailure = ({
  renderId,
  status,
  errors,
}: Pick<RenderProgress, 'renderId' | 'status' | 'errors'>): VidError => {
  if (status === 'ABORTED') return fail('VID_LAMBDA_RENDER_STOPPED', { renderId })
  // The first error ended the render.
  const [first] = errors
  if (!first || !CODE.test(first.error) || first.cause === '' || first.fault === undefined) {
    const reason = first ? failureText({ ...first, state: '' }) : (ENDS[status] ?? status)
    return fail('VID_LAMBDA_RENDER_FAILED', { renderId, reason })
  }
  const { error, cause: message, fault, plugin, hook } = first
  const plain = fail('VID_LAMBDA_RENDER_FAILED', { renderId, reason: message })
  const origin = { ...(plugin !== undefined && { plugin }), ...(hook !== undefined && { hook }) }
  const { hint = plain.hint } = first
  return new VidError(error, { message, hint, fault, final: true }, { renderId }, origin)
}
