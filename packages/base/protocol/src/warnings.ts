import { withoutCredentials } from './credentials.ts'
import { withOneStop } from './errors.ts'
import type { Warning } from './parts/event-parts.ts'

/** A problem that does not stop the render, as shown to users; the hint is left out if there is nothing to do. */
export interface WarningText {
  readonly message: string
  readonly hint?: string
  /** Given where the result lacks or misrepresents a part of the composition; --strict refuses it. */
  readonly severity?: 'error'
  /** Given where it is about how this capture went, not about the picture. */
  readonly transient?: true
}

/** Code → text built from facts; each package that warns owns one such table. */
export type WarningTable = Readonly<Record<string, (facts: never) => WarningText>>

/** Makes the warnings of a table: `warning('VID_X', { facts })` returns the warning to report. */
export const defineWarnings =
  <T extends WarningTable>(table: T) =>
  <C extends keyof T & string>(code: C, facts: Parameters<T[C]>[0]): Warning & Pick<WarningText, 'transient'> => {
    const { message, hint, severity, transient } = (table[code] as (facts: unknown) => WarningText)(facts)
    return {
      code,
      message: withOneStop(withoutCredentials(message)),
      ...(hint !== undefined && { hint: withOneStop(withoutCredentials(hint)) }),
      ...(severity !== undefined && { severity }),
      ...(transient !== undefined && { transient }),
    }
  }
