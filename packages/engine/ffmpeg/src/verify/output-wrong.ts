import type { VidError } from '@vid/protocol'
import { fail } from '../errors.ts'

/** The error of a finished result that does not match its plan. */
export const outputWrong = (format: string, problems: readonly string[]): VidError =>
  fail('VID_OUTPUT_WRONG', { format, problems })
